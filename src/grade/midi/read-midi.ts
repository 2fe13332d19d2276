import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { ByteReader, MidiProblem } from "./byte-reader.ts";

export interface MidiNote {
  /** Index of the track chunk, from 0. */
  readonly track: number;
  /** 0–15; 9 is percussion by General MIDI. */
  readonly channel: number;
  /** General MIDI program in force when the note begins, 0–127. */
  readonly program: number;
  /** 60 is middle C. */
  readonly pitch: number;
  /** 1–127. */
  readonly velocity: number;
  /** In quarter notes from the beginning. */
  readonly onset: number;
  /** In quarter notes. */
  readonly duration: number;
}

export interface MidiFile {
  /** By onset, then pitch, then track. */
  readonly notes: readonly MidiNote[];
  /** Quarter notes per minute, by where they begin, in quarter notes. */
  readonly tempos: readonly { readonly at: number; readonly perMinute: number }[];
  readonly tracks: number;
}

export interface MidiLimits {
  /** Default 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a standard MIDI file of format 0 or 1 (Standard MIDI Files 1.0, MIDI Manufacturers Association). Times are in
 * quarter notes; a note that is never released lasts to the end of its track. Bad when it is missing, too large, cut off,
 * of another format, or timed in film frames.
 *
 * @param path of a file on the host, e.g. from `locateArtifact`.
 */
export async function readMidi(path: string, limits: MidiLimits = {}): Promise<Read<MidiFile>> {
  const name = quote(basename(path));
  const maxBytes = limits.maxBytes ?? 4 * 1024 ** 2;
  const { size } = await stat(path);
  if (size > maxBytes) return bad(`${name} is too large: ${size} bytes, at most ${maxBytes} are read.`);
  try {
    return ok(parseMidi(await readFile(path)));
  } catch (error) {
    if (error instanceof MidiProblem) return bad(`${name} cannot be read as MIDI: ${error.message}.`);
    throw error;
  }
}

function parseMidi(bytes: Uint8Array): MidiFile {
  const reader = new ByteReader(bytes);
  const header = reader.chunk("MThd");
  const [format, tracks, division] = [header.uint16(), header.uint16(), header.uint16()];
  if (format > 1) throw new MidiProblem(`it is of format ${format}`);
  if ((division & 0x8000) !== 0 || division === 0) throw new MidiProblem("it is timed in film frames");
  const notes: MidiNote[] = [];
  const tempos: { at: number; perMinute: number }[] = [];
  for (let track = 0; track < tracks; track++)
    readTrack(reader.chunk("MTrk"), track, division, notes, tempos);
  notes.sort(
    (first, second) => first.onset - second.onset || first.pitch - second.pitch || first.track - second.track,
  );
  return { notes, tempos: tempos.sort((first, second) => first.at - second.at), tracks };
}

function readTrack(
  reader: ByteReader,
  track: number,
  division: number,
  notes: MidiNote[],
  tempos: { at: number; perMinute: number }[],
): void {
  const programs = new Uint8Array(16);
  const sounding = new Map<number, { onset: number; velocity: number; program: number }[]>();
  let [ticks, running] = [0, 0];
  const release = (channel: number, pitch: number): void => {
    const begun = sounding.get(channel * 128 + pitch)?.shift();
    if (begun === undefined) return;
    const duration = ticks / division - begun.onset;
    notes.push({ track, channel, pitch, ...begun, duration });
  };
  while (!reader.atEnd()) {
    ticks += reader.variable();
    const first = reader.peek();
    if (first >= 0x80) reader.uint8();
    const status = first >= 0x80 ? first : running;
    if (status < 0x80) throw new MidiProblem("an event has no status");
    if (status === 0xff) {
      const kind = reader.uint8();
      const data = reader.take(reader.variable());
      if (kind === 0x2f) break;
      if (kind !== 0x51) continue;
      const micros = data.length === 3 ? data.uint8() * 65536 + data.uint16() : 0;
      if (micros === 0) throw new MidiProblem("a tempo is no tempo");
      tempos.push({ at: ticks / division, perMinute: 60_000_000 / micros });
      continue;
    }
    if (status >= 0xf0) {
      reader.take(reader.variable());
      continue;
    }
    running = status;
    const channel = status & 0x0f;
    const kind = status >> 4;
    const value = reader.data();
    const second = kind === 0xc || kind === 0xd ? 0 : reader.data();
    if (kind === 0xc) programs[channel] = value;
    if (kind === 0x8 || (kind === 0x9 && second === 0)) release(channel, value);
    else if (kind === 0x9) {
      const key = channel * 128 + value;
      const begun = { onset: ticks / division, velocity: second, program: programs[channel] ?? 0 };
      sounding.set(key, [...(sounding.get(key) ?? []), begun]);
    }
  }
  for (const [key, begun] of sounding) {
    for (const _ of [...begun]) release(key >> 7, key & 127);
  }
}
