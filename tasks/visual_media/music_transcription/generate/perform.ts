import type { Random } from "ale/contract/random";
import { instrumentOf } from "../instrument.ts";
import { barLength, leadIn, levels, type Part } from "../piece.ts";

export const sampleRate = 22_050;

/** Seconds that a note ends before the next may begin, its fall included. */
const gap = 0.04;
const attack = 0.015;
const fall = 0.025;
const noise = 0.0006;

/** One part as a player would sound it: partials, a little vibrato, every note within 1 dB of its dynamic. */
export function perform(random: Random, part: Part, tempo: number, bars: number): Float64Array {
  const eighth = 30 / tempo;
  const { harmonics, vibrato } = instrumentOf(part.instrument);
  const samples = new Float64Array(Math.ceil((leadIn + bars * barLength * eighth + 0.7) * sampleRate));
  for (let at = 0; at < samples.length; at++) samples[at] = (random.next() - 0.5) * noise;
  const power = Math.sqrt(harmonics.reduce((sum, share) => sum + share * share, 0) / 2);
  for (const { pitch, onset, length, dynamic } of part.notes) {
    const start = Math.round((leadIn + onset * eighth) * sampleRate);
    const lasts = length * eighth - gap;
    const level = (levels[dynamic] / power) * 10 ** ((random.next() * 2 - 1) / 20);
    const frequency = 440 * 2 ** ((pitch - 69) / 12);
    const phases = harmonics.map(() => random.next() * 2 * Math.PI);
    let turn = 0;
    for (let index = 0; index < lasts * sampleRate; index++) {
      const time = index / sampleRate;
      const shape = Math.min(1, time / attack, (lasts - time) / fall);
      const bend = 2 ** ((vibrato * Math.sin(2 * Math.PI * 5.2 * time)) / 1200);
      turn += (2 * Math.PI * frequency * bend) / sampleRate;
      let value = 0;
      for (const [order, share] of harmonics.entries()) {
        value += share * Math.sin((order + 1) * turn + (phases[order] ?? 0));
      }
      samples[start + index] = (samples[start + index] ?? 0) + level * shape * value;
    }
  }
  return samples;
}
