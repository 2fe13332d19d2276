import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import { writeWav } from "../wav.ts";
import { compose } from "./compose.ts";
import { perform, sampleRate } from "./perform.ts";

/** Composes a piece and records it, an instrument a channel; the notes go to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const parts = compose(random, params);
  const [left, right] = parts.map((part) =>
    perform(random.fork(`take ${part.instrument}`), part, params.tempo, params.bars),
  ) as [Float64Array, Float64Array];
  writeFileSync(join(input, "recording.wav"), writeWav(left, right, sampleRate));
  writeFileSync(join(reference, "parts.json"), `${JSON.stringify(parts)}\n`);
}
