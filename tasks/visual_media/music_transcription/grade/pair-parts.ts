import type { MidiFile, MidiNote } from "ale/grade/midi/read-midi";
import type { PartPair } from "ale/grade/midi/transcription";
import { lcsLength } from "ale/grade/sequence/lcs-length";
import { instrumentOf } from "../instrument.ts";
import type { Part } from "../piece.ts";
import { expectedNotes } from "./expected-notes.ts";

export interface PairedPart extends PartPair {
  /** The expected General MIDI program, and those the notes have. */
  readonly program: number;
  readonly programs: readonly number[];
}

/**
 * Which staff of the MIDI file is which part: the one with the part's pitches. Staves left over count as notes too many, of
 * the first part.
 */
export function pairParts(file: MidiFile, parts: readonly Part[]): readonly PairedPart[] {
  const staves = [...Map.groupBy(file.notes, ({ track, channel }) => `${track}/${channel}`).values()];
  const likeness = (staff: readonly MidiNote[], part: Part): number =>
    lcsLength(pitches(staff), pitches(part.notes));
  const [first, second] = parts;
  if (first === undefined || second === undefined) throw new RangeError("a piece has two parts");
  let best: { readonly at: readonly [number, number]; readonly common: number } = { at: [0, 1], common: -1 };
  for (const [one, upper] of staves.entries()) {
    for (const [two, lower] of staves.entries()) {
      if (one === two) continue;
      const common = likeness(upper, first) + likeness(lower, second);
      if (common > best.common) best = { at: [one, two], common };
    }
  }
  const surplus = staves.filter((_, index) => !best.at.includes(index)).flat();
  return [first, second].map((part, index) => {
    const own = staves[best.at[index] ?? index] ?? [];
    return {
      name: part.instrument,
      actual: index === 0 && staves.length > 2 ? [...own, ...surplus] : own,
      expected: expectedNotes(part.notes),
      program: instrumentOf(part.instrument).program,
      programs: [...new Set(own.map(({ program }) => program))],
    };
  });
}

function pitches(notes: readonly { readonly pitch: number }[]): readonly string[] {
  return notes.map(({ pitch }) => String(pitch));
}
