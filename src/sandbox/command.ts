export interface CommandOptions {
  /** `agent` (default): unprivileged. `root`: the machine's administrator, for trusted phases only. */
  readonly user?: "agent" | "root";
  /** Absolute; default the agent's home. */
  readonly cwd?: string;
  /** Added to the sandbox's small fixed environment. Never the host's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given on standard input, which is then closed. Without it standard input is empty. Not for `spawn`. */
  readonly stdin?: Uint8Array | string;
  /** Wall-clock limit; the whole process group is killed after it. */
  readonly timeoutMs?: number;
  /** Kept of each of stdout and stderr, default 1 MiB: the head and the tail, with a mark between. */
  readonly maxOutputBytes?: number;
  /** Aborting kills the command's process group. */
  readonly signal?: AbortSignal;
  /** `host` lifts the sandbox's network policy for this command; for trusted phases only. */
  readonly network?: "sandbox" | "host";
}

/**
 * How a command ended. `outOfMemory`: it was killed, or its shell says so of its last program (exit 137), and while it ran
 * the kernel killed for want of the machine's memory. Never where the kernel does not tell.
 */
export type CommandEnd =
  | { readonly kind: "exited"; readonly code: number; readonly outOfMemory?: true }
  | { readonly kind: "signalled"; readonly signal: string; readonly outOfMemory?: true }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "aborted" }
  /** The program could not be started: not found, not executable, working directory absent. */
  | { readonly kind: "not-started"; readonly message: string };

export interface CommandResult {
  readonly end: CommandEnd;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes written, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly wallMs: number;
}

/** True when the command ran to its end and exited 0. */
export function succeeded(result: CommandResult): boolean {
  return result.end.kind === "exited" && result.end.code === 0;
}

/** The end with what the kernel did meanwhile. `kills`: how often it killed for want of memory while the command ran. */
export function withMemoryKills(end: CommandEnd, kills: number): CommandEnd {
  const wasKilled =
    (end.kind === "signalled" && end.signal === "SIGKILL") || (end.kind === "exited" && end.code === 137);
  return wasKilled && kills > 0 ? { ...end, outOfMemory: true } : end;
}

/** The end as records tell it: the exit code, or else what {@link describeEnd} says. */
export function exitOf(end: CommandEnd): number | string {
  return end.kind === "exited" && end.outOfMemory === undefined ? end.code : describeEnd(end);
}

/** The end in a few words, for messages: `exit 3`, `SIGKILL, out of memory`, `timed out after 5 s`. */
export function describeEnd(end: CommandEnd): string {
  switch (end.kind) {
    case "exited":
      return `exit ${end.code}${end.outOfMemory === true ? ", out of memory" : ""}`;
    case "signalled":
      return `${end.signal}${end.outOfMemory === true ? ", out of memory" : ""}`;
    case "timed-out":
      return `timed out after ${Math.round(end.afterMs / 100) / 10} s`;
    case "aborted":
      return "aborted";
    case "not-started":
      return `not started: ${end.message}`;
  }
}
