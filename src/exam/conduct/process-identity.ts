import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/** A process, told apart from a later one with the same number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start in clock ticks since boot, where the system tells. */
  readonly started: string | undefined;
}

export async function thisProcess(): Promise<ProcessIdentity> {
  return { host: hostname(), pid: process.pid, started: await startOf(process.pid) };
}

/** False only when the process is certainly gone; one on another host cannot be judged, and counts as alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.host !== hostname()) return true;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
  const started = await startOf(identity.pid);
  return started === undefined || identity.started === undefined || started === identity.started;
}

/** Field 22 of `/proc/<pid>/stat` (proc(5)); the command before it may hold spaces and parentheses. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return text
    ?.slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .at(19);
}
