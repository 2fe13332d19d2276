import type { ScreenInput } from "./screen-input.ts";
import type { ScreenView } from "./screen-view.ts";

/** A file of the machine: its path below the folder it was listed of. */
export interface DeskFile {
  readonly path: string;
  readonly bytes: number;
}

export type DeskFolder = "input" | "output";

/** What a command came to. */
export interface DeskCommand {
  /** `exit 0`, `SIGKILL`, `timed out after 600 s`. */
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
}

/** The machine's screen, for a person to see and to use. */
export interface DeskScreen extends ScreenView {
  /** Done in order, those of earlier calls first. */
  act(inputs: readonly ScreenInput[]): Promise<void>;
}

/**
 * Where a person works: all that one who sits a trial may see and do. Rejects with an `AleError` coded `desk-path` for a
 * path that is no plain file below its folder, `desk-closed` when the time is over, and as the machine does.
 */
export interface SittingDesk {
  readonly instruction: string;
  readonly outputs: readonly { readonly path: string; readonly kind: string; readonly required: boolean }[];
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** When the work is over, be it handed in or not; absent = no limit. */
  readonly deadline?: number;
  readonly screen?: DeskScreen;
  /** Plain files below the folder, by path; at most a few hundred. */
  files(folder: DeskFolder): Promise<readonly DeskFile[]>;
  read(folder: DeskFolder, path: string): Promise<Uint8Array>;
  /** Puts a file into the output folder, over one that is there. */
  handIn(path: string, content: Uint8Array): Promise<void>;
  /** Takes a file out of the output folder; absent is fine. */
  withdraw(path: string): Promise<void>;
  /** Runs a line in the machine's shell; aborting ends it. */
  run(line: string, signal: AbortSignal): Promise<DeskCommand>;
}
