import type { Board, Pad } from "ale/grade/kicad/board";
import { type BoardRules, findViolations } from "ale/grade/kicad/check-board";
import { findOpenNets } from "ale/grade/kicad/find-open-nets";
import type { Outcome } from "ale/grade/outcome";

/** The nets at fault, by kind of fault. */
export interface Faults {
  readonly rules: ReadonlySet<string>;
  readonly connections: ReadonlySet<string>;
  readonly evidence: readonly string[];
}

export function faultsOf(board: Board, rules: BoardRules): Faults {
  const violations = findViolations(board, rules);
  return {
    rules: new Set(violations.flatMap(({ nets }) => nets)),
    connections: new Set(findOpenNets(board)),
    evidence: violations
      .slice(0, 24)
      .map(({ rule, nets, what }) => `${rule} of ${nets.join(" and ")}: ${what}`),
  };
}

/** Nothing but tracks, vias and zones may differ. */
export function judgeKept(board: Board, before: Board): Outcome {
  const changed = [
    ...differences(footprintsOf(board), footprintsOf(before)),
    ...differences(board.pads.map(padKey), before.pads.map(padKey)),
    ...differences(board.edges.map(edgeKey), before.edges.map(edgeKey)),
  ];
  return {
    score: changed.length === 0 ? 1 : 0,
    message:
      changed.length === 0
        ? "Parts, nets and outline are kept."
        : `Parts, nets or outline differ in ${changed.length} places.`,
    evidence: changed.slice(0, 24),
  };
}

/** What is mended, less what is newly broken, of what was at fault. */
export function judgeMended(now: ReadonlySet<string>, before: ReadonlySet<string>, what: string): Outcome {
  const mended = [...before].filter((net) => !now.has(net)).length;
  const broken = [...now].filter((net) => !before.has(net)).length;
  return {
    score: Math.max(0, mended - broken) / before.size,
    message: `${mended} of ${before.size} nets ${what} are mended, ${broken} others are newly at fault.`,
  };
}

function footprintsOf({ footprints }: Board): readonly string[] {
  return [...footprints].map(([reference, place]) => `${reference} at ${place}`);
}

function padKey({ name, net, shape, at, size, layers, drill }: Pad): string {
  const near = at.map((value) => Math.round(value * 1000)).join(" ");
  return `${name} of ${net}: ${shape} ${size.join(" ")} at ${near} on ${layers.join(" ")}, ${drill}`;
}

function edgeKey([from, to]: Board["edges"][number]): string {
  return [from, to]
    .map((place) => place.map((value) => Math.round(value * 1000)).join(" "))
    .sort()
    .join(" to ");
}

function differences(actual: readonly string[], expected: readonly string[]): readonly string[] {
  const [sorted, wanted] = [[...actual].sort(), [...expected].sort()];
  if (sorted.join("\n") === wanted.join("\n")) return [];
  return [
    ...sorted.filter((key) => !wanted.includes(key)),
    ...wanted.filter((key) => !sorted.includes(key)),
    "count",
  ].slice(0, 24);
}
