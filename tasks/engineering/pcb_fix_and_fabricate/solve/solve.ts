import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import type { Board } from "ale/grade/kicad/board";
import { readBoard } from "ale/grade/kicad/read-board";
import { fromReference } from "ale/grade/rubric/from-reference";
import type { SolveContext } from "ale/task";
import { type Routing, routeBoard } from "../board/route-board.ts";
import { rulesOf } from "../board/rules-of.ts";
import type { Params } from "../params.ts";

/**
 * The oracle: finds new ways for all nets, and lets KiCad, through its Python interface (pcbnew), lay the tracks, save the board,
 * plot it, and check its rules. Fails unless KiCad's own rule check finds nothing.
 */
export function solve({ input, output, scratch, params }: SolveContext<Params>): void {
  const board = fromReference(
    readBoard(readFileSync(join(input, "board.kicad_pcb"), "utf8"), "board.kicad_pcb"),
  );
  for (const name of ["board.kicad_pcb", "board.kicad_pro"])
    copyFileSync(join(input, name), join(scratch, name));
  const [routing, report] = [join(scratch, "routing.json"), join(scratch, "rules.txt")];
  writeFileSync(routing, JSON.stringify(route(board, params)));
  mkdirSync(join(output, "fabrication"), { recursive: true });
  const program = join(import.meta.dirname, "drive-pcbnew.py");
  const child = spawnSync(
    "/usr/bin/python3",
    [program, join(scratch, "board.kicad_pcb"), routing, output, report],
    {
      encoding: "utf8",
      timeout: 240_000,
    },
  );
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(`drive-pcbnew.py: ${child.stderr.trim().slice(-800)}`);
  const found = readFileSync(report, "utf8").match(/Found \d+ (?:DRC violations|unconnected pads)/g) ?? [];
  if (found.length !== 2 || found.some((line) => !line.startsWith("Found 0 "))) {
    throw new Error(`KiCad's rule check says: ${readFileSync(report, "utf8").slice(0, 1500)}`);
  }
  for (const name of ["board.kicad_pro", "board.kicad_prl"]) rmSync(join(output, name), { force: true });
}

/** Orders of the nets are tried until all find a way. */
function route(board: Board, params: Params): Routing {
  const random = createRandom("routing");
  for (let attempt = 0; attempt < 200; attempt++) {
    const routing = routeBoard(board, rulesOf(params), random.shuffle(board.nets));
    if (routing !== undefined) return routing;
  }
  throw new Error("no order of the nets lets all of them find a way");
}
