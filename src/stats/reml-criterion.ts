import { type Cholesky, cholesky, forwardSolve } from "./cholesky.ts";
import type { Factor } from "./crossed-design.ts";

/** What the data say at given relative deviations. */
export interface RemlPoint {
  /** log |Λᵀ Zᵀ Z Λ + I|. */
  readonly logDeterminant: number;
  /** Information on the intercept, in units of the residual variance. */
  readonly information: number;
  /** Penalised residual sum of squares. */
  readonly residual: number;
  readonly intercept: number;
}

/** The data of a model with an intercept and crossed random factors, summed up once. */
export interface RemlProblem {
  readonly rows: number;
  /** @param theta standard deviation of each factor relative to the residual's, in the order of the factors. */
  evaluate(theta: readonly number[]): RemlPoint | undefined;
}

/**
 * Prepares the penalised least squares problem of Bates, Mächler, Bolker and Walker (J. Stat. Software 67, 2015). The
 * factor with most levels, whose block is diagonal, is eliminated first, so that the dense part is as small as the rest.
 */
export function remlProblem(values: readonly number[], factors: readonly Factor[]): RemlProblem {
  const rows = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / rows;
  const centred = values.map((value) => value - mean);
  const coded = factors.map((factor) => encode(factor.levels));
  const large = coded.reduce(
    (best, code, index) => (code.count > (coded[best]?.count ?? 0) ? index : best),
    0,
  );
  const big = coded[large] as Coding;

  // Columns of the other factors, one after another, with the factor each belongs to.
  const owner: number[] = [];
  const offsets = coded.map((code, index) => {
    const offset = owner.length;
    if (index !== large) for (let level = 0; level < code.count; level++) owner.push(index);
    return offset;
  });
  const size = owner.length;
  const smallCross = new Float64Array(size * size);
  const smallCount = new Float64Array(size);
  const smallSum = new Float64Array(size);
  const bigCount = new Float64Array(big.count);
  const bigSum = new Float64Array(big.count);
  const bigCross = Array.from({ length: big.count }, () => new Map<number, number>());
  let squares = 0;
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const value = centred[row] as number;
    squares += value * value;
    total += value;
    const level = big.index[row] as number;
    bigCount[level] = (bigCount[level] as number) + 1;
    bigSum[level] = (bigSum[level] as number) + value;
    const columns = coded.flatMap((code, index) =>
      index === large ? [] : [(offsets[index] as number) + (code.index[row] as number)],
    );
    for (const column of columns) {
      smallCount[column] = (smallCount[column] as number) + 1;
      smallSum[column] = (smallSum[column] as number) + value;
      const cross = bigCross[level] as Map<number, number>;
      cross.set(column, (cross.get(column) ?? 0) + 1);
      for (const other of columns)
        smallCross[column * size + other] = (smallCross[column * size + other] as number) + 1;
    }
  }
  const crossRows = bigCross.map((cross) => [...cross]);

  function evaluate(theta: readonly number[]): RemlPoint | undefined {
    const scale = owner.map((index) => theta[index] as number);
    const bigScale = theta[large] as number;
    const matrix = new Float64Array(size * size);
    const withOne = new Float64Array(size);
    const withValue = new Float64Array(size);
    for (let row = 0; row < size; row++) {
      const own = scale[row] as number;
      for (let column = 0; column <= row; column++) {
        matrix[row * size + column] =
          own * (scale[column] as number) * (smallCross[row * size + column] as number);
      }
      matrix[row * size + row] = (matrix[row * size + row] as number) + 1;
      withOne[row] = own * (smallCount[row] as number);
      withValue[row] = own * (smallSum[row] as number);
    }
    let logDeterminant = 0;
    let oneOne = rows;
    let oneValue = total;
    let valueValue = squares;
    crossRows.forEach((cross, level) => {
      const count = bigCount[level] as number;
      const sum = bigSum[level] as number;
      const diagonal = bigScale * bigScale * count + 1;
      const share = (bigScale * bigScale) / diagonal;
      logDeterminant += Math.log(diagonal);
      oneOne -= share * count * count;
      oneValue -= share * count * sum;
      valueValue -= share * sum * sum;
      for (const [column, times] of cross) {
        const part = share * (scale[column] as number) * times;
        withOne[column] = (withOne[column] as number) - part * count;
        withValue[column] = (withValue[column] as number) - part * sum;
        for (const [other, otherTimes] of cross) {
          if (other > column) continue;
          const at = column * size + other;
          matrix[at] = (matrix[at] as number) - part * (scale[other] as number) * otherTimes;
        }
      }
    });
    const factor = cholesky(matrix, size);
    return factor === undefined
      ? undefined
      : finish(factor, { withOne, withValue, oneOne, oneValue, valueValue, logDeterminant, mean });
  }

  return { rows, evaluate };
}

interface Sums {
  readonly withOne: Float64Array;
  readonly withValue: Float64Array;
  readonly oneOne: number;
  readonly oneValue: number;
  readonly valueValue: number;
  readonly logDeterminant: number;
  readonly mean: number;
}

function finish(factor: Cholesky, sums: Sums): RemlPoint {
  const one = forwardSolve(factor, sums.withOne);
  const value = forwardSolve(factor, sums.withValue);
  let { oneOne, oneValue, valueValue } = sums;
  for (let index = 0; index < factor.size; index++) {
    const [x, y] = [one[index] as number, value[index] as number];
    oneOne -= x * x;
    oneValue -= x * y;
    valueValue -= y * y;
  }
  return {
    logDeterminant: sums.logDeterminant + factor.logDeterminant,
    information: oneOne,
    residual: valueValue - (oneValue * oneValue) / oneOne,
    intercept: sums.mean + oneValue / oneOne,
  };
}

interface Coding {
  readonly count: number;
  readonly index: Int32Array;
}

function encode(levels: readonly string[]): Coding {
  const codes = new Map<string, number>();
  const index = Int32Array.from(levels, (level) => {
    const code = codes.get(level) ?? codes.size;
    codes.set(level, code);
    return code;
  });
  return { count: codes.size, index };
}
