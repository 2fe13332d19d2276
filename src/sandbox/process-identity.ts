import { readFileSync } from "node:fs";

/** A process of this host that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, from `/proc/PID/stat`; absent where the system does not tell. */
  readonly startTime?: string;
}

/** The identity of a live process; `undefined` when there is none, or only its zombie. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readProcessStat(pid);
  if (stat === undefined) return exists(pid) ? { pid } : undefined;
  return stat.state === "Z" || stat.state === "X" ? undefined : { pid, startTime: stat.startTime };
}

/** False only when exactly this process is certainly gone. */
export function isAlive(process: ProcessIdentity): boolean {
  const now = identifyProcess(process.pid);
  if (now === undefined) return false;
  return (
    now.startTime === undefined || process.startTime === undefined || now.startTime === process.startTime
  );
}

/** Whether the number is taken, also by a process of another user. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly session: number;
  readonly startTime: string;
}

/** The fields of `/proc/PID/stat` we use (proc(5)); the command name may hold spaces and parentheses. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readProcessFile(pid, "stat");
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startTime: fields[19] ?? "",
  };
}

/** A file of `/proc/PID`; `undefined` once the process is gone. */
export function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Sends a signal; false when the process is already gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
