import type { Random } from "ale/contract/random";
import { instrumentOf } from "../instrument.ts";
import type { Params } from "../params.ts";
import { barLength, type Dynamic, type Note, type Part } from "../piece.ts";

/** Lengths in eighths of one bar; negative is a rest. */
const quick: readonly (readonly number[])[] = [
  [2, 2, 2, 2],
  [3, 1, 2, 2],
  [1, 1, 2, 4],
  [2, 1, 1, 2, 2],
  [3, 1, 4],
  [2, 2, 1, 1, 1, 1],
  [2, -2, 3, 1],
  [4, 2, -2],
];
const slow: readonly (readonly number[])[] = [[4, 4], [8], [2, 2, 4], [6, 2], [4, 2, 2], [4, -4], [3, 1, 4]];
const major = [0, 2, 4, 5, 7, 9, 11];

/** Two parts in one key; every two bars have a dynamic of their own, unlike the one before. */
export function compose(random: Random, params: Params): readonly Part[] {
  return [
    writePart(random.fork("upper"), params, params.upper, quick),
    writePart(random.fork("lower"), params, params.lower, slow),
  ];
}

function writePart(
  random: Random,
  { bars, fifths }: Params,
  instrument: string,
  rhythms: readonly (readonly number[])[],
): Part {
  const { low, high } = instrumentOf(instrument);
  const tonic = (((fifths * 7) % 12) + 12) % 12;
  const scale: number[] = [];
  for (let pitch = low; pitch <= high; pitch++) {
    if (major.includes((pitch - tonic + 120) % 12)) scale.push(pitch);
  }
  let place = Math.floor(scale.length / 2);
  let dynamic: Dynamic = "mf";
  const notes: Note[] = [];
  for (let bar = 0; bar < bars; bar++) {
    if (bar % 2 === 0)
      dynamic = random.pick((["p", "mf", "f"] as const).filter((mark) => bar === 0 || mark !== dynamic));
    let onset = bar * barLength;
    const rhythm = bar === bars - 1 ? [barLength] : random.pick(rhythms);
    for (const length of rhythm) {
      if (length > 0) {
        place = Math.min(scale.length - 1, Math.max(0, place + random.pick([-3, -2, -1, -1, 0, 1, 1, 2, 3])));
        notes.push({ pitch: scale[place] ?? low, onset, length, dynamic });
      }
      onset += Math.abs(length);
    }
  }
  return { instrument, notes };
}
