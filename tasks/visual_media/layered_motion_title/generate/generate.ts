import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "ale/contract/random";
import type { GenerateContext } from "ale/task";
import { type CueSheet, frameOf, height, width } from "../cue-sheet.ts";
import { drawLogo, type Logo, logoSide } from "../logo.ts";
import type { Params } from "../params.ts";
import { wholePicture } from "../truth/box.ts";
import { openShot, setLines } from "../truth/open-shot.ts";
import { filmPlate } from "./film-plate.ts";
import { makeSheet } from "./make-sheet.ts";
import { writePng } from "./write-png.ts";

/** Frames of the plate beyond those that are used. */
const handles = 8;

/** Writes the cue sheet, plate, badge and style frame; the badge's shapes, from which the truth is drawn, are hidden. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const sheet = makeSheet(random, params);
  requireFit(sheet, input);
  const logo = makeLogo(random);
  const frames = params.plate_first + params.frames + handles;
  writeFileSync(join(input, sheet.plate.file), filmPlate(random.fork("plate"), frames));
  const half = logoSide / 2;
  const drawn = drawLogo(logo, logoSide, half, half, half);
  const badge = drawn.map((value, at) => Math.round(at % 4 === 3 ? value * 255 : value));
  writeFileSync(join(input, "badge.png"), writePng(logoSide, logoSide, Uint8Array.from(badge)));
  writeFileSync(join(input, "cue-sheet.json"), `${JSON.stringify(sheet, null, 2)}\n`);
  writeFileSync(join(reference, "logo.json"), `${JSON.stringify(logo)}\n`);
  const still = openShot(sheet, logo, input).draw(frameOf(sheet.style_frame.at), wholePicture);
  const style = writePng(width, height, Uint8Array.from(still, Math.round));
  writeFileSync(join(input, sheet.style_frame.file), style);
}

function makeLogo(random: Random): Logo {
  return {
    disc: [random.integer(206, 232), random.integer(150, 178), random.integer(40, 70)],
    peaks: [random.integer(232, 246), random.integer(236, 248), random.integer(238, 250)],
    summits: [-0.22 + 0.1 * random.next(), 0.26 + 0.1 * random.next()],
  };
}

/** Throws an `Error` for a title or second line that its panel is too narrow for. */
function requireFit(sheet: CueSheet, input: string): void {
  const panel = sheet.layers.find((layer) => layer.kind === "rectangle");
  for (const [id, { advance }] of setLines(sheet, input)) {
    if (panel === undefined || advance > panel.width - 40)
      throw new Error(`the ${id} is ${advance} pixels long: too long for its panel`);
  }
}
