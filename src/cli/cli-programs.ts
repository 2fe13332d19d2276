import { claudeCodeProgram } from "../harness/claude-code/claude-code-program.ts";
import { clineProgram } from "../harness/cline/cline-program.ts";
import { codexProgram } from "../harness/codex/codex-program.ts";
import { copilotProgram } from "../harness/copilot/copilot-program.ts";
import { geminiCliProgram } from "../harness/gemini-cli/gemini-cli-program.ts";
import { openclawProgram } from "../harness/openclaw/openclaw-program.ts";
import { opencodeProgram } from "../harness/opencode/opencode-program.ts";
import { piProgram } from "../harness/pi/pi-program.ts";
import type { CliProgram } from "../harness/program/cli-program.ts";
import { qwenCodeProgram } from "../harness/qwen-code/qwen-code-program.ts";

/** The command line harnesses that are pinned in this package. */
export const cliPrograms: readonly CliProgram[] = [
  claudeCodeProgram,
  clineProgram,
  codexProgram,
  copilotProgram,
  geminiCliProgram,
  openclawProgram,
  opencodeProgram,
  piProgram,
  qwenCodeProgram,
];
