import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MidiNote } from "./read-midi.ts";
import {
  dynamicsAgreement,
  type PartPair,
  pitchAgreement,
  rhythmAgreement,
  type ScoreNote,
} from "./transcription.ts";

const melody = fc
  .array(fc.record({ pitch: fc.integer({ min: 48, max: 84 }), duration: fc.constantFrom(0.5, 1, 1.5, 2) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((notes): readonly ScoreNote[] => {
    let onset = 0;
    return notes.map(({ pitch, duration }) => {
      const note: ScoreNote = { pitch, duration, onset, velocity: [72, 88] };
      onset += duration;
      return note;
    });
  });

function play(notes: readonly ScoreNote[]): readonly MidiNote[] {
  return notes.map(({ pitch, onset, duration }) => ({
    track: 0,
    channel: 0,
    program: 0,
    pitch,
    onset,
    duration: duration * 0.95,
    velocity: 80,
  }));
}

function pair(actual: readonly MidiNote[], expected: readonly ScoreNote[]): readonly PartPair[] {
  return [{ name: "part", actual, expected }];
}

describe("a transcription", () => {
  test("played from the score itself is right in every way", () => {
    fc.assert(
      fc.property(melody, (notes) => {
        const parts = pair(play(notes), notes);
        expect(pitchAgreement(parts).score).toBe(1);
        expect(rhythmAgreement(parts).score).toBe(1);
        expect(dynamicsAgreement(parts).score).toBe(1);
      }),
    );
  });

  test("with one wrong pitch, one wrong value, or one note too loud loses in that alone", () => {
    fc.assert(
      fc.property(melody, fc.nat(), (notes, which) => {
        const at = which % notes.length;
        const edited = (change: Partial<MidiNote>): readonly PartPair[] =>
          pair(
            play(notes).map((note, index) => (index === at ? { ...note, ...change } : note)),
            notes,
          );
        const sharp = edited({ pitch: 100 });
        expect(pitchAgreement(sharp).score).toBeCloseTo(1 - 1 / notes.length);
        expect(rhythmAgreement(sharp).score).toBe(1);
        const long = edited({ duration: 3 });
        expect(rhythmAgreement(long).score).toBeLessThan(1);
        expect(pitchAgreement(long).score).toBe(1);
        const loud = edited({ velocity: 110 });
        expect(dynamicsAgreement(loud).score).toBeCloseTo(1 - 1 / notes.length);
        expect(rhythmAgreement(loud).score).toBe(1);
      }),
    );
  });

  test("that is empty scores 0, and notes too many cost as much as notes too few", () => {
    fc.assert(
      fc.property(melody, (notes) => {
        expect(pitchAgreement(pair([], notes)).score).toBe(0);
        const doubled = pair([...play(notes), ...play(notes)], notes);
        expect(rhythmAgreement(doubled).score).toBeCloseTo(2 / 3);
      }),
    );
  });
});
