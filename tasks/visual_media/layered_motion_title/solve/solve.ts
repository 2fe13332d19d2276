import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { CueSheet } from "../cue-sheet.ts";
import type { Params } from "../params.ts";
import { type FilmOptions, film } from "./film.ts";

/**
 * The oracle: reads the cue sheet, writes its keys and easings as expressions of ffmpeg, and has ffmpeg draw, animate, matte and
 * stack the layers by its own filter graph.
 */
export function solve({ input, output, scratch }: SolveContext<Params>): void {
  render({ sheet: readSheet(input), input, scratch, into: join(output, "title.mp4") });
}

export function readSheet(input: string): CueSheet {
  return JSON.parse(readFileSync(join(input, "cue-sheet.json"), "utf8")) as CueSheet;
}

export function render(options: FilmOptions): void {
  const { status, stderr, error } = spawnSync("ffmpeg", film(options), { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr.slice(-800)}`);
}
