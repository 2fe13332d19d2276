import type { Board } from "ale/grade/kicad/board";
import {
  compareCopper,
  compareHoles,
  compareMask,
  compareOutline,
} from "ale/grade/kicad/compare-fabrication";
import { readBoard } from "ale/grade/kicad/read-board";
import { readDrill } from "ale/grade/kicad/read-drill";
import { type GerberLayer, readGerber } from "ale/grade/kicad/read-gerber";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { readText } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import { rulesOf } from "../board/rules-of.ts";
import type { Params } from "../params.ts";
import { faultsOf, judgeKept, judgeMended } from "./board-checks.ts";

/** Gates on a board that is the same but for its copper and mostly mended; then rules, connections, and plots of that board. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { artifacts, input, params } = context;
  const name = "board.kicad_pcb";
  const before = fromReference(readBoard(fromReference(await readText(input, name)), name));
  const text = await readText(artifacts, name, { maxBytes: 5 * 1024 ** 2 });
  const read = text.kind === "bad" ? text : readBoard(text.value, name);
  const gate = (id: string, outcome: Outcome) => check({ id, stage: "board", gate: true, outcome });
  if (read.kind === "bad") return weightedRubric([gate("board", read.outcome)]);
  const board = read.value;
  const kept = judgeKept(board, before);
  if (kept.score < 1) return weightedRubric([gate("kept", kept)]);
  const rules = rulesOf(params);
  const [faults, old] = [faultsOf(board, rules), faultsOf(before, rules)];
  const ruled = judgeMended(faults.rules, old.rules, "that broke a rule");
  const connected = judgeMended(faults.connections, old.connections, "that were open");
  const [left, most] = [
    faults.rules.size + faults.connections.size,
    (old.rules.size + old.connections.size) / 2,
  ];
  const usable = gate("usable", {
    score: left <= most ? 1 : 0,
    message: `${left} faulty nets are left; a board with more than ${most} is of no use.`,
  });
  return weightedRubric([
    gate("kept", kept),
    usable,
    check({ id: "rules", stage: "board", weight: 45, outcome: { ...ruled, evidence: faults.evidence } }),
    check({
      id: "connections",
      stage: "board",
      weight: 20,
      outcome: { ...connected, evidence: [...faults.connections].slice(0, 24) },
    }),
    ...(await fabricationChecks(artifacts, board)),
  ]);
}

async function fabricationChecks(artifacts: string, board: Board) {
  const layer = async (name: string, judge: (plot: GerberLayer) => Outcome): Promise<Outcome> => {
    const path = `fabrication/board-${name}.gbr`;
    const text = await readText(artifacts, path, { maxBytes: 5 * 1024 ** 2 });
    const plot = text.kind === "bad" ? text : readGerber(text.value, path);
    return plot.kind === "bad" ? plot.outcome : judge(plot.value);
  };
  const drill = await readText(artifacts, "fabrication/board.drl", { maxBytes: 1024 ** 2 });
  const holes = drill.kind === "bad" ? drill : readDrill(drill.value, "fabrication/board.drl");
  return [
    ...(await Promise.all(
      (["F", "B"] as const).map(async (side) =>
        check({
          id: `copper-${side.toLowerCase()}`,
          stage: "fabrication",
          weight: 7.5,
          outcome: await layer(`${side}_Cu`, (plot) => compareCopper(plot, board, `${side}.Cu`)),
        }),
      ),
    )),
    ...(await Promise.all(
      (["F", "B"] as const).map(async (side) =>
        check({
          id: `mask-${side.toLowerCase()}`,
          stage: "fabrication",
          weight: 3,
          outcome: await layer(`${side}_Mask`, (plot) => compareMask(plot, board, side)),
        }),
      ),
    )),
    check({
      id: "outline",
      stage: "fabrication",
      weight: 4,
      outcome: await layer("Edge_Cuts", (plot) => compareOutline(plot, board)),
    }),
    check({
      id: "holes",
      stage: "fabrication",
      weight: 10,
      outcome: holes.kind === "bad" ? holes.outcome : compareHoles(holes.value, board),
    }),
  ];
}
