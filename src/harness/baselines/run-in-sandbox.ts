import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { unknown } from "../../contract/absence.ts";
import { AleError } from "../../contract/ale-error.ts";
import { lastWords } from "../../contract/last-words.ts";
import { describeEnd, exitOf } from "../../sandbox/command.ts";
import type { HarnessOutcome, HarnessSession } from "../harness.ts";
import { claimDone, unpaid } from "./claims.ts";

export interface SandboxRun {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Given on standard input. */
  readonly input: string;
}

/** Kept of each log, in bytes; the rest is read and dropped. */
const maxLogBytes = 64 * 1024 * 1024;

/** Kept of the end of each stream, to find the last line in. */
const tailBytes = 64 * 1024;

/** Milliseconds between the polite signal and the certain one. */
const stopGraceMs = 2000;

/**
 * Runs a command on the machine as the agent, its output into `logs/`. Exit 0 is completed, the last line it
 * printed its claim; any other end is its own error, told with the last it wrote on standard error.
 */
export async function runInSandbox(session: HarnessSession, run: SandboxRun): Promise<HarnessOutcome> {
  const { sandbox, signal, logs } = session;
  try {
    const running = await sandbox.spawn(run.argv, { env: run.env, signal });
    const stop = (): void => void running.stop(stopGraceMs);
    signal.addEventListener("abort", stop, { once: true });
    // A command need not read what it is given; a closed pipe is its right.
    running.stdin.on("error", () => undefined);
    running.stdin.end(run.input);
    const [printed, complaint] = await Promise.all([
      keepLog(running.stdout, join(logs, "agent.stdout.log")),
      keepLog(running.stderr, join(logs, "agent.stderr.log")),
    ]);
    const { end, wallMs } = await running.ended;
    signal.removeEventListener("abort", stop);
    session.emit({ type: "command", phase: "agent", argv: run.argv, exit: exitOf(end), wallMs });
    if (end.kind === "exited" && end.code === 0)
      return { kind: "completed", ...unpaid, claim: claimDone(lastLine(printed)) };
    const reason = [describeEnd(end), lastWords(complaint)].filter((part) => part !== "").join(": ");
    return { kind: "agent-error", reason, ...unpaid, claim: claimDone("") };
  } catch (error) {
    if (!AleError.isInstance(error)) throw error;
    return { kind: "env-error", reason: error.message, ...unpaid, claim: unknown("the machine was lost") };
  }
}

/** Copies a stream into a file up to the limit; returns its end. */
async function keepLog(stream: Readable, path: string): Promise<string> {
  let kept = 0;
  let tail: Buffer = Buffer.alloc(0);
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
        const room = maxLogBytes - kept;
        if (room > 0) yield chunk.subarray(0, room);
        kept += Math.min(chunk.byteLength, Math.max(0, room));
      }
    },
    createWriteStream(path),
  );
  return tail.toString("utf8");
}

function lastLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "";
}
