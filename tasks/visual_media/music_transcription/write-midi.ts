import type { MidiNote } from "ale/grade/midi/read-midi";

const division = 480;

interface Event {
  readonly at: number;
  /** Of events at one time, lower ones come first: tempo, programs, releases, notes. */
  readonly rank: number;
  readonly bytes: readonly number[];
}

/** Notes as a MIDI file of one track (format 0), each with its channel; for probes. */
export function writeMidi(notes: readonly MidiNote[], tempo: number): Uint8Array {
  const micros = Math.round(60_000_000 / tempo);
  const events: Event[] = [
    { at: 0, rank: 0, bytes: [0xff, 0x51, 3, micros >> 16, (micros >> 8) & 255, micros & 255] },
  ];
  for (const [channel, program] of new Map(notes.map((note) => [note.channel, note.program]))) {
    events.push({ at: 0, rank: 1, bytes: [0xc0 | channel, program] });
  }
  for (const { channel, pitch, velocity, onset, duration } of notes) {
    const start = Math.round(onset * division);
    const end = start + Math.max(1, Math.round(duration * division));
    events.push({ at: start, rank: 3, bytes: [0x90 | channel, pitch, velocity] });
    events.push({ at: end, rank: 2, bytes: [0x80 | channel, pitch, 0] });
  }
  events.sort((first, second) => first.at - second.at || first.rank - second.rank);
  let last = 0;
  const body = events.flatMap(({ at, bytes }) => {
    const wait = variable(at - last);
    last = at;
    return [...wait, ...bytes];
  });
  body.push(0, 0xff, 0x2f, 0);
  return Uint8Array.from([
    ...Buffer.from("MThd"),
    0,
    0,
    0,
    6,
    0,
    0,
    0,
    1,
    division >> 8,
    division & 255,
    ...Buffer.from("MTrk"),
    body.length >>> 24,
    (body.length >> 16) & 255,
    (body.length >> 8) & 255,
    body.length & 255,
    ...body,
  ]);
}

function variable(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
