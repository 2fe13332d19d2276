import type { ScoreNote } from "ale/grade/midi/transcription";
import type { Dynamic, Note } from "../piece.ts";

/** Velocities of a dynamic: those MuseScore plays it with, and half of the way to its neighbours (pp, mp, ff). */
const velocities: Readonly<Record<Dynamic, readonly [number, number]>> = {
  p: [42, 56],
  mf: [72, 88],
  f: [89, 104],
};

/** The notes of the reference in quarters. */
export function expectedNotes(notes: readonly Note[]): readonly ScoreNote[] {
  return notes.map(({ pitch, onset, length, dynamic }) => ({
    pitch,
    onset: onset / 2,
    duration: length / 2,
    velocity: velocities[dynamic],
  }));
}
