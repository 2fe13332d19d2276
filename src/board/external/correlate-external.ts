import { type Correlation, pearson, spearman } from "../../stats/correlation.ts";
import { type Figure, toFigure } from "../views/figure.ts";
import type { ExternalScore } from "./external-scores.ts";

/** A row of one of our boards, as far as other benchmarks are concerned. */
export interface OwnScore {
  readonly contestant: string;
  readonly model: string | undefined;
  readonly value: number;
}

/** How another benchmark goes with ours, over the models both have. */
export interface ExternalCorrelation {
  readonly benchmark: string;
  readonly pearson: Figure;
  readonly spearman: Figure;
  readonly pairs: readonly {
    readonly model: string;
    readonly ours: number;
    readonly theirs: number;
    /** Rows of ours that the value is the mean of: efforts and harnesses of the model. */
    readonly rows: number;
  }[];
  /** Models of the other benchmark that no row of ours has. */
  readonly unmatched: readonly string[];
}

/**
 * Correlations per benchmark. A name is first taken for a contestant of ours, then for a model, whose rows are averaged:
 * pairs are models, for rows of one model are not independent. Names are compared without case.
 */
export function correlateExternal(
  ours: readonly OwnScore[],
  theirs: readonly ExternalScore[],
): readonly ExternalCorrelation[] {
  return [...Map.groupBy(theirs, (score) => score.benchmark)].map(([benchmark, scores]) => {
    const matched = scores.map((score) => ({ score, rows: rowsOf(ours, score.model) }));
    const pairs = matched
      .filter(({ rows }) => rows.length > 0)
      .map(({ score, rows }) => ({
        model: score.model,
        ours: rows.reduce((sum, row) => sum + row.value, 0) / rows.length,
        theirs: score.score,
        rows: rows.length,
      }));
    const figure = (correlate: (x: readonly number[], y: readonly number[]) => Correlation): Figure =>
      toFigure(
        correlate(
          pairs.map((pair) => pair.ours),
          pairs.map((pair) => pair.theirs),
        ),
      );
    return {
      benchmark,
      pearson: figure(pearson),
      spearman: figure(spearman),
      pairs,
      unmatched: matched.filter(({ rows }) => rows.length === 0).map(({ score }) => score.model),
    };
  });
}

function rowsOf(ours: readonly OwnScore[], name: string): readonly OwnScore[] {
  const wanted = name.toLowerCase();
  const exact = ours.filter((row) => row.contestant.toLowerCase() === wanted);
  return exact.length > 0 ? exact : ours.filter((row) => row.model?.toLowerCase() === wanted);
}
