import type { Clock } from "../contract/clock.ts";

/** Where text goes. `isTerminal` decides on live progress. */
export interface TextSink {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; a wide default in a pipe. */
  readonly columns: number;
}

/** Folders of this user on this machine, resolved from the environment once. */
export interface CliFolders {
  /** Generated instances; safe to delete. */
  readonly cache: string;
  /** Live sandboxes and their labels. */
  readonly state: string;
  /** What this user set for every folder, such as models.yaml. */
  readonly config: string;
}

/** Everything a command may touch of the process around it. */
export interface CliContext {
  readonly out: TextSink;
  readonly err: TextSink;
  readonly cwd: string;
  readonly folders: CliFolders;
  readonly clock: Clock;
  readonly pid: number;
  /** The Node program that runs this, for task programs in sandboxes. */
  readonly nodeBinary: string;
  /** Variables that a file of the user names, and for programs of this host; a trial sees none of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values of the environment that look like keys, by name: kept out of every record. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What was typed, for the record. */
  readonly invocation: readonly string[];
  /** Aborted on the first interrupt. */
  readonly interrupted: AbortSignal;
  /** Aborted on the second interrupt. */
  readonly atOnce: AbortSignal;
  /** What a command has opened for as long as it runs; disposed of when it is over. */
  readonly closing: AsyncDisposableStack;
  /** Sets the exit status; the highest set wins. */
  setExitStatus(status: ExitStatus): void;
}

/** 0 done, 1 some trials could not be run or a check failed, 2 usage. */
export type ExitStatus = 0 | 1 | 2;
