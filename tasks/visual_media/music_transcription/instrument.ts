import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Instrument {
  readonly name: string;
  /** General MIDI, counted from 0. */
  readonly program: number;
  readonly clef: "G" | "F";
  /** MIDI pitches it is given to play. */
  readonly low: number;
  readonly high: number;
  /** Amplitudes of the partials. */
  readonly harmonics: readonly number[];
  /** In cents. */
  readonly vibrato: number;
}

export function instrumentOf(name: string): Instrument {
  const all = JSON.parse(readFileSync(join(import.meta.dirname, "instruments.json"), "utf8")) as Readonly<
    Record<string, Omit<Instrument, "name">>
  >;
  const found = all[name];
  if (found === undefined) throw new RangeError(`there is no instrument ${name}`);
  return { name, ...found };
}
