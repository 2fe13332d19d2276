import { claudeDialect } from "../claude-code/read-claude-stream.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";

/** Qwen Code's `--output-format stream-json`: Claude Code's events, with ids of their own and no cost. */
export function readQwenStream(): StreamReader {
  return createStreamReader(
    claudeDialect({
      inputIncludesCached: true,
      sharedIds: false,
      versionField: "qwen_code_version",
      pictureMark: /^\[image\/[\w.+-]+\]$/gm,
    }),
  );
}
