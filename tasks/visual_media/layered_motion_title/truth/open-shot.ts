import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CueSheet } from "../cue-sheet.ts";
import type { Logo } from "../logo.ts";
import type { Materials } from "./draw-layer.ts";
import { readPlate } from "./read-plate.ts";
import { type SetText, setText } from "./set-text.ts";
import { makeShot, type Shot } from "./shot.ts";
import { readTypeface } from "./typeface.ts";

/** The true shot of an instance. @param input the folder as it is given to the agent. */
export function openShot(sheet: CueSheet, logo: Logo, input: string): Shot {
  const plate = readPlate(readFileSync(join(input, sheet.plate.file)));
  return makeShot(sheet, plate, { logo, lines: setLines(sheet, input) });
}

/** The sheet's lines of text, by their layers' ids. */
export function setLines(sheet: CueSheet, input: string): Materials["lines"] {
  const lines = new Map<string, SetText>();
  for (const layer of sheet.layers) {
    if (layer.kind !== "text") continue;
    const typeface = readTypeface(readFileSync(join(input, layer.font)));
    lines.set(layer.id, setText(typeface, layer.text, layer.size));
  }
  return lines;
}
