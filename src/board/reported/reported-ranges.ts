import type { ReportedRow } from "../../contract/reported-board.ts";

/** Highest minus lowest value while one thing varies: the published method, without a model of variance. */
export interface ReportedRange {
  /** What was held equal, e.g. `openclaw`. */
  readonly of: string;
  /** How many models, harnesses or efforts it spans. */
  readonly levels: number;
  /** In points, i.e. hundredths. */
  readonly points: number;
  readonly lowest: { readonly name: string; readonly value: number };
  readonly highest: { readonly name: string; readonly value: number };
  /** Whether all rows name the same effort; where not, the range mixes two causes. */
  readonly sameEffort: boolean;
}

/** Ranges of what at least two rows share, widest span of levels first. */
export interface ReportedRanges {
  /** By model on one harness at one effort. */
  readonly model: readonly ReportedRange[];
  /** By harness on one model: at one effort, or where every harness has only one row, as it is. */
  readonly harness: readonly ReportedRange[];
  /** By effort on one harness and model, the unnamed default included. */
  readonly effort: readonly ReportedRange[];
}

/** Ranges of a published board, each with everything but its cause held equal as far as rows name it. */
export function reportedRanges(
  rows: readonly ReportedRow[],
  valueIn: (row: ReportedRow) => number,
): ReportedRanges {
  const ranges = (
    groups: Iterable<readonly [string, readonly ReportedRow[]]>,
    name: (row: ReportedRow) => string,
  ): readonly ReportedRange[] =>
    [...groups]
      .filter(([, group]) => new Set(group.map(name)).size >= 2)
      .map(([of, group]) => toRange(of, group, name, valueIn))
      .sort((one, other) => other.levels - one.levels || other.points - one.points);

  const byHarness = Map.groupBy(rows, (row) => described(row.harness, row.variant));
  const byModel = Map.groupBy(rows, (row) => described(row.model, row.variant));
  const oneRowEach = [...Map.groupBy(rows, (row) => row.model)].filter(
    ([, group]) =>
      new Set(group.map((row) => row.harness)).size === group.length &&
      new Set(group.map((row) => row.variant)).size > 1,
  );
  const byBoth = Map.groupBy(rows, (row) => `${row.model} on ${row.harness}`);
  return {
    model: ranges(byHarness, (row) => row.model),
    harness: ranges([...byModel, ...oneRowEach], (row) => row.harness),
    effort: ranges(byBoth, (row) => (row.variant === "" ? "default" : row.variant)),
  };
}

function described(name: string, variant: string): string {
  return variant === "" ? name : `${name} at ${variant}`;
}

function toRange(
  of: string,
  group: readonly ReportedRow[],
  name: (row: ReportedRow) => string,
  valueIn: (row: ReportedRow) => number,
): ReportedRange {
  const ends = group.map((row) => ({ name: name(row), value: valueIn(row) }));
  ends.sort((one, other) => one.value - other.value);
  const [lowest, highest] = [ends[0], ends.at(-1)];
  if (lowest === undefined || highest === undefined) throw new RangeError("a range needs rows");
  return {
    of,
    levels: new Set(group.map(name)).size,
    points: (highest.value - lowest.value) * 100,
    lowest,
    highest,
    sameEffort: new Set(group.map((row) => row.variant)).size === 1,
  };
}
