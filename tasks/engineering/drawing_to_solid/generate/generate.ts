import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import { toLetters } from "../part/letters.ts";
import { draftPart } from "./draft-part.ts";
import { drawPart } from "./draw-part.ts";

/** The drawing of a family; the dimensions of the part asked for, and of another of its kind, go to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const { part_number, scale, family } = params;
  const place = Number(part_number.split("-").at(-1));
  const stem = part_number.replace(/\d+$/, "");
  const parts = Array.from({ length: family }, (_, index) =>
    draftPart(scale * (0.9 + 0.1 * index), random.fork(`part ${index + 1}`)),
  );
  const members = parts.map((part, index) => ({ number: `${stem}${index + 1}`, letters: toLetters(part) }));
  const [shown] = parts;
  if (shown === undefined) throw new Error("a family needs a part");
  writeFileSync(join(input, "drawing.pdf"), drawPart(shown, members));
  const other = draftPart(scale * 1.17, random.fork("another size"));
  writeFileSync(join(reference, "part.json"), `${JSON.stringify({ part: parts[place - 1], other })}\n`);
}
