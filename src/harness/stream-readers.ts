import { readClaudeStream } from "./claude-code/read-claude-stream.ts";
import { readClineStream } from "./cline/read-cline-stream.ts";
import { readCodexStream } from "./codex/read-codex-stream.ts";
import { readCopilotStream } from "./copilot/read-copilot-stream.ts";
import { readGeminiStream } from "./gemini-cli/read-gemini-stream.ts";
import { readOpenclawStream } from "./openclaw/read-openclaw-stream.ts";
import { readOpencodeStream } from "./opencode/read-opencode-stream.ts";
import { readPiStream } from "./pi/read-pi-stream.ts";
import { readQwenStream } from "./qwen-code/read-qwen-stream.ts";
import type { StreamReader } from "./trajectory/stream-reader.ts";

/** The reader of each harness whose stream we know, by the harness's name. */
export const streamReaders: Readonly<Record<string, () => StreamReader>> = {
  "claude-code": readClaudeStream,
  cline: readClineStream,
  codex: readCodexStream,
  copilot: readCopilotStream,
  "gemini-cli": readGeminiStream,
  openclaw: readOpenclawStream,
  opencode: readOpencodeStream,
  pi: readPiStream,
  "qwen-code": readQwenStream,
};
