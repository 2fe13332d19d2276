import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import { drawPlate, footageFrames, height, makeScene, width } from "../scene.ts";
import { film } from "./film.ts";
import { writeY4m } from "./write-y4m.ts";

/** Films a figure before a green wall and paints a plate; the scene itself, from which the truth is drawn, is hidden. */
export function generate({ input, reference, random }: GenerateContext<Params>): void {
  const scene = makeScene(random);
  const grain = random.fork("grain");
  const frames = Array.from({ length: footageFrames }, (_, frame) => film(grain, scene, frame));
  writeFileSync(join(input, "footage.y4m"), writeY4m(frames));
  const header = Buffer.from(`P6\n${width} ${height}\n255\n`);
  writeFileSync(join(input, "background.ppm"), Buffer.concat([header, drawPlate(scene)]));
  writeFileSync(join(reference, "scene.json"), `${JSON.stringify(scene)}\n`);
}
