import { known, type Maybe, unknown } from "../contract/absence.ts";
import { cholesky, inverseDiagonal } from "./cholesky.ts";
import { type CrossedDesign, designRefusal } from "./crossed-design.ts";
import { nelderMead } from "./nelder-mead.ts";
import { type RemlProblem, remlProblem } from "./reml-criterion.ts";

/** How much of the variance a factor carries. */
export interface VarianceComponent {
  /** The factor's name, or `residual`. */
  readonly factor: string;
  readonly levels: number;
  readonly variance: number;
  /** From the curvature of the likelihood; unknown at an estimate of zero. */
  readonly standardError: Maybe<number>;
  /** Of the sum of all components. */
  readonly share: number;
}

/** A crossed random-effects fit, or why there is none. */
export type VarianceComponents =
  | {
      readonly kind: "fit";
      readonly rows: number;
      readonly intercept: { readonly value: number; readonly standardError: number };
      /** The factors in the order given, then the residual. */
      readonly components: readonly VarianceComponent[];
      /** Restricted, with its constants: comparable with other programs. */
      readonly logLikelihood: number;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Variances this much smaller than the residual's are zero. */
const boundary = 1e-8;

/**
 * Splits the variance of scores over crossed factors: an intercept, one random effect per factor, a residual, fitted by
 * restricted maximum likelihood. Designs that cannot carry the split are refused with the reason (see `designRefusal`).
 */
export function varianceComponents(design: CrossedDesign): VarianceComponents {
  const reason = designRefusal(design);
  if (reason !== undefined) return { kind: "refused", reason };
  const problem = remlProblem(design.values, design.factors);
  // The criterion depends on squares only, so that the search may cross zero.
  const found = nelderMead(
    (theta) => profiledDeviance(problem, theta),
    design.factors.map(() => 1),
  );
  const point = problem.evaluate(found.point);
  if (point === undefined || !Number.isFinite(found.value) || !(point.residual > 0)) {
    return {
      kind: "refused",
      reason: "the factors explain every value exactly: no residual variance is left",
    };
  }
  const residual = point.residual / (problem.rows - 1);
  const ratios = found.point.map((theta) => (theta * theta < boundary ? 0 : theta * theta));
  const variances = [...ratios.map((ratio) => ratio * residual), residual];
  const errors = standardErrors(problem, variances);
  const total = variances.reduce((sum, variance) => sum + variance, 0);
  const names = [...design.factors, undefined].map((factor) => ({
    factor: factor?.name ?? "residual",
    levels: factor === undefined ? problem.rows : new Set(factor.levels).size,
  }));
  return {
    kind: "fit",
    rows: problem.rows,
    intercept: { value: point.intercept, standardError: Math.sqrt(residual / point.information) },
    components: names.map((name, index): VarianceComponent => {
      const variance = variances[index] as number;
      return { ...name, variance, standardError: errors[index] as Maybe<number>, share: variance / total };
    }),
    logLikelihood: -found.value / 2,
  };
}

/** -2 log restricted likelihood with the residual variance at its best. */
function profiledDeviance(problem: RemlProblem, theta: readonly number[]): number {
  const point = problem.evaluate(theta);
  if (point === undefined || !(point.residual > 0 && point.information > 0)) return Number.POSITIVE_INFINITY;
  const degrees = problem.rows - 1;
  const spread = 1 + Math.log((2 * Math.PI * point.residual) / degrees);
  return point.logDeterminant + Math.log(point.information) + degrees * spread;
}

/** -2 log restricted likelihood at given variances, the residual's last. */
function deviance(problem: RemlProblem, variances: readonly number[]): number {
  const residual = variances.at(-1) as number;
  const point = problem.evaluate(variances.slice(0, -1).map((variance) => Math.sqrt(variance / residual)));
  if (point === undefined) return Number.POSITIVE_INFINITY;
  const degrees = problem.rows - 1;
  return (
    point.logDeterminant +
    Math.log(point.information) +
    degrees * Math.log(2 * Math.PI * residual) +
    point.residual / residual
  );
}

/** From the observed information: the Hessian of the deviance by central differences, halved and inverted. */
function standardErrors(problem: RemlProblem, variances: readonly number[]): readonly Maybe<number>[] {
  const free = variances.flatMap((variance, index) => (variance > 0 ? [index] : []));
  const step = 1e-3;
  const at = (moves: readonly (readonly [index: number, direction: number])[]): number =>
    deviance(
      problem,
      variances.map((variance, index) =>
        moves.reduce(
          (value, [moved, direction]) => (moved === index ? value + direction * step * variance : value),
          variance,
        ),
      ),
    );
  const size = free.length;
  const information = new Float64Array(size * size);
  free.forEach((first, row) => {
    free.slice(0, row + 1).forEach((second, column) => {
      const width = 4 * step * step * (variances[first] as number) * (variances[second] as number);
      const corner = (one: number, other: number): number =>
        at([
          [first, one],
          [second, other],
        ]);
      const curvature = (corner(1, 1) - corner(1, -1) - corner(-1, 1) + corner(-1, -1)) / width;
      information[row * size + column] = curvature / 2;
    });
  });
  const factor = cholesky(information, size);
  const inverse = factor === undefined ? undefined : inverseDiagonal(factor);
  return variances.map((_, index) => {
    const position = free.indexOf(index);
    if (position < 0) return unknown("the estimate is zero, at the edge of what a variance can be");
    if (inverse === undefined) return unknown("the likelihood is flat at its maximum");
    return known(Math.sqrt(inverse[position] as number));
  });
}
