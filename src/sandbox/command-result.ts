import type { CommandEnd, CommandResult } from "./command.ts";
import type { OutputBuffer } from "./output-buffer.ts";

/** A command's end with what was kept of its output. */
export function commandResult(
  end: CommandEnd,
  wallMs: number,
  stdout: OutputBuffer,
  stderr: OutputBuffer,
): CommandResult {
  return {
    end,
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    stdoutBytes: stdout.total,
    stderrBytes: stderr.total,
    wallMs,
  };
}

/** Reads a stream to its end into a buffer; a stream that breaks has ended. */
export function drainInto(stream: NodeJS.ReadableStream, buffer: OutputBuffer): Promise<void> {
  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => buffer.write(chunk));
    stream.once("end", resolve);
    stream.once("close", resolve);
  });
}
