import { instrumentOf } from "../instrument.ts";
import { barLength, type Dynamic, leadIn, levels, type Note, type Part } from "../piece.ts";

/** Below this a slot is a rest, as root mean square of full scale. */
const silence = 0.008;

/** Writes down what a channel plays: eighth by eighth, whether it sounds, begins anew, how high and how loud. */
export function hear(
  samples: Float64Array,
  sampleRate: number,
  tempo: number,
  bars: number,
  instrument: string,
): Part {
  const eighth = 30 / tempo;
  const notes: Note[] = [];
  const at = (seconds: number): number => Math.round(seconds * sampleRate);
  for (let slot = 0; slot < bars * barLength; slot++) {
    const start = leadIn + slot * eighth;
    const body = level(samples, at(start + 0.03), at(start + eighth - 0.07));
    if (body < silence) continue;
    const before = level(samples, at(start - 0.013), at(start - 0.003));
    const last = notes.at(-1);
    if (before < 0.25 * body || last === undefined) {
      const window = samples.subarray(at(start + 0.03), at(start + eighth - 0.07));
      const pitch = Math.round(69 + 12 * Math.log2(frequencyOf(window, sampleRate, instrument) / 440));
      notes.push({ pitch, onset: slot, length: 1, dynamic: dynamicOf(body) });
    } else notes[notes.length - 1] = { ...last, length: slot - last.onset + 1 };
  }
  return { instrument, notes };
}

function level(samples: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let index = from; index < to; index++) sum += (samples[index] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, to - from));
}

function dynamicOf(loudness: number): Dynamic {
  const far = (mark: Dynamic): number => Math.abs(Math.log(loudness / levels[mark]));
  return (["p", "mf", "f"] as const).reduce((best, mark) => (far(mark) < far(best) ? mark : best));
}

/**
 * The fundamental, by the normalised square difference function: the first peak that is nearly the highest (McLeod and
 * Wyvill, "A smarter way to find pitch", 2005), refined by a parabola.
 */
function frequencyOf(samples: Float64Array, sampleRate: number, instrument: string): number {
  const { low, high } = instrumentOf(instrument);
  const hertz = (pitch: number): number => 440 * 2 ** ((pitch - 69) / 12);
  const shortest = Math.floor(sampleRate / hertz(high + 2));
  const longest = Math.ceil(sampleRate / hertz(low - 2));
  const values: number[] = [];
  for (let lag = shortest; lag <= longest; lag++) {
    let [product, power] = [0, 0];
    for (let index = 0; index + lag < samples.length; index++) {
      const [here, there] = [samples[index] ?? 0, samples[index + lag] ?? 0];
      product += here * there;
      power += here * here + there * there;
    }
    values.push((2 * product) / power);
  }
  const isPeak = (index: number): boolean =>
    (values[index] ?? 0) > (values[index - 1] ?? 1) && (values[index] ?? 0) >= (values[index + 1] ?? 1);
  const highest = Math.max(...values);
  const peak = values.findIndex((value, index) => isPeak(index) && value >= 0.93 * highest);
  const [left = 0, top = 0, right = 0] = values.slice(peak - 1, peak + 2);
  return sampleRate / (shortest + peak + (left - right) / (2 * (left - 2 * top + right)));
}
