/** The lower triangle L of a symmetric positive definite matrix A = L Lᵀ, row by row. */
export interface Cholesky {
  readonly size: number;
  readonly lower: Float64Array;
  /** Logarithm of the determinant of A. */
  readonly logDeterminant: number;
}

/**
 * Factors a matrix given by its lower triangle (row-major, `size` × `size`); the input is left as it is.
 * `undefined` when the matrix is not positive definite.
 */
export function cholesky(matrix: Float64Array, size: number): Cholesky | undefined {
  const lower = new Float64Array(size * size);
  let logDeterminant = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column] as number;
      for (let k = 0; k < column; k++) {
        sum -= (lower[row * size + k] as number) * (lower[column * size + k] as number);
      }
      if (row !== column) {
        lower[row * size + column] = sum / (lower[column * size + column] as number);
        continue;
      }
      if (!(sum > 0)) return undefined;
      lower[row * size + row] = Math.sqrt(sum);
      logDeterminant += Math.log(sum);
    }
  }
  return { size, lower, logDeterminant };
}

/** Solves L x = right. */
export function forwardSolve({ size, lower }: Cholesky, right: ArrayLike<number>): Float64Array {
  const x = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = right[row] as number;
    for (let k = 0; k < row; k++) sum -= (lower[row * size + k] as number) * (x[k] as number);
    x[row] = sum / (lower[row * size + row] as number);
  }
  return x;
}

/** The diagonal of the inverse of A: squared lengths of the columns of L⁻¹. */
export function inverseDiagonal(factor: Cholesky): Float64Array {
  const diagonal = new Float64Array(factor.size);
  for (let index = 0; index < factor.size; index++) {
    const unit = new Float64Array(factor.size);
    unit[index] = 1;
    for (const value of forwardSolve(factor, unit))
      diagonal[index] = (diagonal[index] as number) + value * value;
  }
  return diagonal;
}
