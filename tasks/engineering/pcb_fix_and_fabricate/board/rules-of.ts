import type { BoardRules } from "ale/grade/kicad/check-board";
import type { Params } from "../params.ts";

export function rulesOf({ clearance, track, via, drill, edge }: Params): BoardRules {
  return { clearance, trackWidth: track, viaDiameter: via, viaDrill: drill, edgeClearance: edge };
}
