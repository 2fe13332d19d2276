import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { readWav } from "../wav.ts";
import { hear } from "./hear.ts";
import { exportScore, photograph, prepareHome } from "./muse-score.ts";
import { writeMusicXml } from "./write-musicxml.ts";

/**
 * The oracle: listens to the recording by signal processing, writes the notes down as MusicXML, and has the real MuseScore
 * export PDF and MIDI by its command line and show the score in its window, on a display of its own.
 */
export async function solve({ input, output, scratch, params }: SolveContext<Params>): Promise<void> {
  const { left, right, sampleRate } = readWav(readFileSync(join(input, "recording.wav")));
  const parts = [
    hear(left, sampleRate, params.tempo, params.bars, params.upper),
    hear(right, sampleRate, params.tempo, params.bars, params.lower),
  ];
  const score = join(scratch, "transcription.musicxml");
  writeFileSync(score, writeMusicXml(params, parts));
  prepareHome(scratch);
  await exportScore(scratch, score, join(output, "transcription.pdf"));
  await exportScore(scratch, score, join(output, "transcription.mid"));
  await photograph(scratch, score, join(output, "screenshot.png"));
}
