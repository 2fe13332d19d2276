import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Joining, Shape } from "../poster/poster.ts";
import { drawPieces, pieceIds } from "./draw-pieces.ts";
import { readBrief } from "./read-brief.ts";

const operations: Readonly<Record<Exclude<Joining, "alone">, string>> = {
  cut: "path-difference",
  join: "path-union",
  keep: "path-intersection",
};

/**
 * The oracle: lays out the pieces as a drawing, and lets Inkscape, through its own actions, cut and join the paths, save the
 * drawing, turn the text into paths and export the preview.
 */
export function solve({ input, output, scratch, params }: SolveContext<Params>): void {
  const poster = readBrief(input, params);
  const drawing = join(scratch, "pieces.svg");
  writeFileSync(drawing, drawPieces(poster, readFileSync(join(input, "logo.svg"), "utf8")));
  const result = join(output, "poster.svg");
  const shapes = poster.shapes.filter((shape) => shape.joining !== "alone");
  runInkscape(scratch, drawing, [
    ...shapes.flatMap(joinPieces),
    "export-area-page",
    `export-filename:${result}`,
    "export-do",
  ]);
  runInkscape(scratch, result, [
    "export-area-page",
    "export-plain-svg",
    "export-text-to-path",
    `export-filename:${join(output, "poster-print.svg")}`,
    "export-do",
  ]);
  runInkscape(scratch, result, [
    "export-area-page",
    `export-width:${params.png_width}`,
    `export-filename:${join(output, "poster.png")}`,
    "export-do",
  ]);
}

/** A cut takes one piece at a time: of several, Inkscape makes a division. The lowest piece keeps its id and style. */
function joinPieces(shape: Shape): readonly string[] {
  const [first, ...others] = pieceIds(shape);
  const operation = operations[shape.joining as Exclude<Joining, "alone">];
  return others.flatMap((other) => ["select-clear", `select-by-id:${first},${other}`, operation]);
}

function runInkscape(scratch: string, document: string, actions: readonly string[]): void {
  const child = spawnSync("inkscape", [`--actions=${actions.join(";")}`, document], {
    encoding: "utf8",
    timeout: 120_000,
    cwd: scratch,
  });
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(`inkscape: ${child.stderr.trim().slice(-800)}`);
}
