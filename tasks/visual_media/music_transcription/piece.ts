export type Dynamic = "p" | "mf" | "f";

export interface Note {
  /** MIDI pitch. */
  readonly pitch: number;
  /** In eighth notes from the beginning. */
  readonly onset: number;
  /** In eighth notes. */
  readonly length: number;
  readonly dynamic: Dynamic;
}

export interface Part {
  readonly instrument: string;
  readonly notes: readonly Note[];
}

/** Eighths of a bar: all pieces are in 4/4. */
export const barLength = 8;

/** Where the first bar begins in the recording, in seconds. */
export const leadIn = 0.5;

/** Level of a held note, as root mean square of full scale. */
export const levels: Readonly<Record<Dynamic, number>> = { p: 0.03, mf: 0.085, f: 0.24 };
