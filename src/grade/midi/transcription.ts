import type { JsonValue } from "../../contract/json-value.ts";
import type { Outcome } from "../outcome.ts";
import { lcsLength } from "../sequence/lcs-length.ts";
import type { MidiNote } from "./read-midi.ts";

/** A note as it should have been written. Times in quarter notes. */
export interface ScoreNote {
  readonly pitch: number;
  readonly onset: number;
  readonly duration: number;
  /** Velocities that its dynamic may play with, both included. */
  readonly velocity: readonly [low: number, high: number];
}

/** One instrument's notes as written and as expected, each by onset. */
export interface PartPair {
  readonly name: string;
  readonly actual: readonly MidiNote[];
  readonly expected: readonly ScoreNote[];
}

/** Programs export notes a little short of their written value. */
const onsetTolerance = 0.06;
const durationTolerance = (expected: number): number => Math.max(0.06, 0.12 * expected);

/**
 * Do the parts have the right pitches in the right order, whenever they sound? 2·L / (n + m) over all parts together, L
 * the longest common subsequence of each part's pitches.
 */
export function pitchAgreement(parts: readonly PartPair[]): Outcome {
  const pitches = (notes: readonly { readonly pitch: number }[]): readonly string[] =>
    notes.map(({ pitch }) => String(pitch));
  return agreement(parts, "pitches", ({ actual, expected }) => lcsLength(pitches(actual), pitches(expected)));
}

/** Do notes begin and last as they should, whatever their pitch? 2·M / (n + m), M the notes of the same onset and value. */
export function rhythmAgreement(parts: readonly PartPair[]): Outcome {
  return agreement(parts, "note values", ({ actual, expected }) => {
    const left = [...actual];
    return expected.filter((note) => {
      const at = left.findIndex(
        (other) =>
          Math.abs(other.onset - note.onset) <= onsetTolerance &&
          Math.abs(other.duration - note.duration) <= durationTolerance(note.duration),
      );
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    }).length;
  });
}

/** Share of the expected notes that sound, at their time and pitch, with a velocity of their dynamic. */
export function dynamicsAgreement(parts: readonly PartPair[]): Outcome {
  let [right, all] = [0, 0];
  for (const { actual, expected } of parts) {
    all += expected.length;
    right += expected.filter(({ pitch, onset, velocity: [low, high] }) =>
      actual.some(
        (other) =>
          other.pitch === pitch &&
          Math.abs(other.onset - onset) <= onsetTolerance &&
          other.velocity >= low &&
          other.velocity <= high,
      ),
    ).length;
  }
  const score = all === 0 ? 1 : right / all;
  return { score, message: `${right} of ${all} notes have their dynamic.` };
}

function agreement(parts: readonly PartPair[], noun: string, common: (part: PartPair) => number): Outcome {
  let [shared, actual, expected] = [0, 0, 0];
  const evidence: JsonValue[] = [];
  for (const part of parts) {
    const own = common(part);
    shared += own;
    actual += part.actual.length;
    expected += part.expected.length;
    evidence.push({
      part: part.name,
      right: own,
      written: part.actual.length,
      expected: part.expected.length,
    });
  }
  const score = actual + expected === 0 ? 1 : (2 * shared) / (actual + expected);
  return { score, message: `${shared} of ${expected} ${noun} are right, of ${actual} written.`, evidence };
}
