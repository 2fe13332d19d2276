import type { ScreenView } from "../contract/screen-view.ts";

/** A run that a process conducts now. */
export interface LiveRun {
  /** When it was taken up, in milliseconds since the Unix epoch: what was open before was cut off. */
  readonly since: number;
  readonly host: string;
  /** Conducted on this machine; what happens on another is seen in the records alone. */
  readonly here: boolean;
  /** The screen of one of its attempts; `undefined` while it shows none. Rejects with `screen-gone` when its process has just died. */
  screen(trial: string, attempt: number): Promise<ScreenView | undefined>;
}

/** Tells of a run directory whether it is conducted now; `undefined` when it is not. */
export type FindLiveRun = (runDir: string) => Promise<LiveRun | undefined>;
