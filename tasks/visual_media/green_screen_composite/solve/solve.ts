import { spawn } from "node:child_process";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { composite, differenceKey } from "./composite.ts";
import { wallColour } from "./wall-colour.ts";

/**
 * The oracle: reads the wall's colour off the footage, and has ffmpeg do the work by its own filter graph: key, removal of
 * the green light, and the figure laid over the plate at its time.
 */
export async function solve({ input, output, params }: SolveContext<Params>): Promise<void> {
  const argv = composite({
    ...params,
    footage: join(input, "footage.y4m"),
    plate: join(input, "background.ppm"),
    into: join(output, "composite.mp4"),
    key: differenceKey(wallColour(join(input, "footage.y4m"))),
  });
  const child = spawn("ffmpeg", argv, { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}
