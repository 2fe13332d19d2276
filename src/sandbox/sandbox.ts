import type { Readable, Writable } from "node:stream";
import type { JsonValue } from "../contract/json-value.ts";
import type { CommandOptions, CommandResult } from "./command.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "./files.ts";
import type { ForwardedPort } from "./forward/forwarded-port.ts";
import type { Screen } from "./screen.ts";

/** A command that runs inside the sandbox. */
export interface SandboxProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the command has ended and its output is read; never rejects for how it ended. */
  readonly ended: Promise<CommandResult>;
  /** Ends the command and its children: the signal, then after `graceMs` SIGKILL. Idempotent. */
  stop(graceMs?: number): Promise<void>;
}

/** What quiesce found and did. */
export interface QuiesceReport {
  /** Command names of the processes that were still there and were ended. */
  readonly ended: readonly string[];
}

/** A path the agent created, changed or deleted since {@link Sandbox.markBaseline}. */
export interface ChangedPath {
  /** Absolute, as seen inside. */
  readonly path: string;
  readonly change: "created-or-changed" | "deleted";
}

/**
 * The machine a contestant works in, or a grader grades in.
 *
 * Argument vectors, never shell strings. A method rejects with an `AleError` coded `sandbox-gone` when the
 * machine itself is lost, `sandbox-path` for a path that cannot be used; how a command ended is data.
 */
export interface Sandbox extends AsyncDisposable {
  readonly id: string;
  readonly provider: string;
  /** Its operating system, where that is no Unix. */
  readonly os?: "windows";

  /** Runs a command to its end. Nothing is ever run a second time by itself. */
  exec(argv: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  /** Starts a command and hands out its streams. Output limits do not apply: the caller reads. */
  spawn(argv: readonly string[], options?: CommandOptions): Promise<SandboxProcess>;

  /** The file's bytes. Rejects with `sandbox-path` when absent, not a regular file, or over `maxBytes` (default 64 MiB). */
  readFile(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array>;
  /** Writes a file owned by the agent user unless `owner` is root, making parent folders. */
  writeFile(
    path: string,
    content: Uint8Array | string,
    options?: { readonly mode?: number; readonly owner?: "agent" | "root" },
  ): Promise<void>;
  /** Copies a host file or folder in, as the agent's unless `owner` is root. Links are copied as links. */
  upload(
    hostPath: string,
    path: string,
    options?: { readonly owner?: "agent" | "root"; readonly readOnly?: boolean },
  ): Promise<void>;
  /**
   * Copies a file or folder out into `hostPath`, which must not exist, refusing what is unsafe (see
   * {@link DownloadReport}). Reads without following links. Safe on hostile trees.
   */
  download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport>;
  /** Facts about a path without following a final link; `undefined` when absent. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Names in a folder, sorted. */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file or a whole folder; absent is fine. */
  remove(path: string): Promise<void>;

  /** From here on {@link changes} reports what is different. */
  markBaseline(): Promise<void>;
  /** What changed on the machine since the baseline, sorted, at most `limit` paths (default 500). */
  changes(limit?: number): Promise<readonly ChangedPath[]>;

  /**
   * Ends every process of the agent (the whole tree, daemons included) and freezes the machine: from now on
   * nothing runs but what we start with `user: "root"`. Idempotent.
   */
  quiesce(): Promise<QuiesceReport>;
  /** OS, image, programs, screen, limits: plain data for the record, equal for equal machines. */
  fingerprint(): Promise<JsonValue>;
  /** Pushes the lease further into the future. */
  renewLease(seconds: number): Promise<void>;
  /**
   * Connects a port of `127.0.0.1` inside to a unix socket of the host until disposed of or quiesced, whatever the network
   * policy. Each connection is one to the socket, half of which may close; at most 256 at once, further ones wait. Only on
   * machines that are not shown a host's socket as a {@link Mount}. Rejects with `sandbox-forward` when there is no port to
   * be had, `sandbox-quiesced` when it is too late.
   */
  forward?(hostSocket: string): Promise<ForwardedPort>;
  /** The machine's own screen, where the provider drives one itself, such as that of a virtual machine. */
  screen?(): Promise<Screen>;
}
