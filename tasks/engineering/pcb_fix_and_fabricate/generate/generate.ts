import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import { routeBoard } from "../board/route-board.ts";
import { rulesOf } from "../board/rules-of.ts";
import type { Params } from "../params.ts";
import { draftBoard } from "./draft-board.ts";
import { plantFaults } from "./plant-faults.ts";
import { writeBoard, writeProject } from "./write-board.ts";

/** A board that was routed well, with faults planted; the board it has to be compared with is the input itself. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const rules = rulesOf(params);
  for (let attempt = 1; attempt <= 60; attempt++) {
    const draw = random.fork(`board ${attempt}`);
    const { board, parts } = draftBoard(params, draw);
    const routing = routeBoard(board, rules, draw.shuffle(board.nets));
    if (routing === undefined) continue;
    const faulty = plantFaults({ ...board, ...routing }, rules, draw);
    const text = writeBoard(faulty, parts, params.title, draw);
    writeFileSync(join(input, "board.kicad_pcb"), text);
    writeFileSync(join(input, "board.kicad_pro"), writeProject(params));
    writeFileSync(join(reference, "attempt.json"), `${JSON.stringify({ attempt })}\n`);
    return;
  }
  throw new Error("no board of these parameters can be routed");
}
