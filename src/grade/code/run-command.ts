import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** How the command ended, with the last of what it printed. */
export interface CommandRun {
  readonly end: "exited" | "signalled" | "timed-out" | "not-started";
  /** Exit code when it exited, signal or error otherwise. */
  readonly detail: string;
  readonly success: boolean;
  /** Standard output and error together, the last 16 KiB. */
  readonly output: string;
}

export interface CommandRunOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

const keptBytes = 16_384;

/**
 * Runs a command in a process group of its own, without input, and ends the whole group when the command has ended
 * or its time is over, so that nothing it started lives on to change results.
 */
export async function runCommand({ argv, cwd, timeoutMs, env }: CommandRunOptions): Promise<CommandRun> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = Buffer.alloc(0);
  const keep = (chunk: Buffer): void => {
    output = Buffer.concat([output, chunk]).subarray(-keptBytes);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, timeoutMs);
  const ended = await new Promise<Omit<CommandRun, "output">>((resolve) => {
    child.once("error", (error) => resolve({ end: "not-started", detail: error.message, success: false }));
    child.once("exit", (code, signal) => {
      if (late) resolve({ end: "timed-out", detail: `after ${timeoutMs} ms`, success: false });
      else if (code === null) resolve({ end: "signalled", detail: String(signal), success: false });
      else resolve({ end: "exited", detail: String(code), success: code === 0 });
    });
  });
  clearTimeout(timer);
  endGroup(child.pid);
  await drained(child);
  return { ...ended, output: output.toString("utf8") };
}

/** Waits for the last output, but not for a process that left the group and keeps the pipe open. */
async function drained(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => !stream.destroyed && !stream.readableEnded);
  const patience = setTimeout(() => {
    for (const stream of streams) stream.destroy();
  }, 1000);
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once("close", resolve))));
  clearTimeout(patience);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group is gone already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
