import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { fromLetters, type Lettered } from "../part/letters.ts";
import { writeScad } from "./write-scad.ts";

/**
 * The oracle: reads the table of the drawing (pdftotext), works out the variables as the views show them, writes
 * the model in OpenSCAD's own language and lets OpenSCAD make the mesh.
 */
export function solve({ input, output, params }: SolveContext<Params>): void {
  const source = join(output, "part.scad");
  writeFileSync(source, writeScad(fromLetters(readTable(join(input, "drawing.pdf"), params.part_number))));
  run(["openscad", "-o", join(output, "part.stl"), source]);
}

/** The column of a part number. */
function readTable(drawing: string, partNumber: string): Lettered {
  const lines = run(["pdftotext", "-layout", "-x", "730", "-W", "600", "-H", "500", drawing, "-"])
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const head = lines.find(([word]) => word === "DIM") ?? [];
  const column = head.indexOf(partNumber);
  const rows = lines.flatMap(([letter = "", ...values]) => {
    const value = Number(values[column - 1]);
    return /^[A-Z]{1,2}$/.test(letter) && values.length === head.length - 1 ? [[letter, value] as const] : [];
  });
  return Object.fromEntries(rows) as unknown as Lettered;
}

function run(argv: readonly [string, ...string[]]): string {
  const [program, ...args] = argv;
  const child = spawnSync(program, args, { encoding: "utf8", timeout: 240_000 });
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(`${program}: ${child.stderr.trim().slice(-800)}`);
  return child.stdout;
}
