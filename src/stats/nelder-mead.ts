export interface NelderMeadOptions {
  /** First step along each coordinate; default 0.5. */
  readonly step?: number;
  /** Ends when values of the simplex differ by less, relative to their size; default 1e-12. */
  readonly tolerance?: number;
  /** Most evaluations; default 400 per dimension. */
  readonly evaluations?: number;
}

interface Vertex {
  readonly point: readonly number[];
  readonly value: number;
}

/**
 * A local minimum without derivatives (Nelder and Mead, Computer Journal 7, 1965), started again from what it found
 * until that gains nothing: a collapsed simplex is no minimum. The function may give `Infinity`, never `NaN`.
 */
export function nelderMead(
  f: (point: readonly number[]) => number,
  start: readonly number[],
  options: NelderMeadOptions = {},
): Vertex {
  const { step = 0.5, tolerance = 1e-12, evaluations = 400 * Math.max(1, start.length) } = options;
  let best: Vertex = { point: start, value: f(start) };
  for (let round = 0; round < 5; round++) {
    const found = descend(f, best, step / 2 ** round, tolerance, evaluations);
    const gain = best.value - found.value;
    best = found;
    if (round > 0 && gain <= tolerance * (1 + Math.abs(best.value))) break;
  }
  return best;
}

function descend(
  f: (point: readonly number[]) => number,
  start: Vertex,
  step: number,
  tolerance: number,
  evaluations: number,
): Vertex {
  const size = start.point.length;
  let left = evaluations;
  const at = (point: readonly number[]): Vertex => {
    left -= 1;
    return { point, value: f(point) };
  };
  const simplex = [
    start,
    ...start.point.map((_, axis) => at(start.point.map((x, index) => (index === axis ? x + step : x)))),
  ];
  for (;;) {
    simplex.sort((one, other) => one.value - other.value);
    const best = simplex[0] as Vertex;
    const worst = simplex[size] as Vertex;
    if (left <= 0 || worst.value - best.value <= tolerance * (1 + Math.abs(best.value))) return best;

    const centre = best.point.map(
      (_, axis) =>
        simplex.slice(0, size).reduce((sum, vertex) => sum + (vertex.point[axis] as number), 0) / size,
    );
    const along = (factor: number): Vertex =>
      at(centre.map((x, axis) => x + factor * ((worst.point[axis] as number) - x)));
    const reflected = along(-1);
    const second = simplex[size - 1] as Vertex;
    if (reflected.value < best.value) {
      const expanded = along(-2);
      simplex[size] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < second.value) {
      simplex[size] = reflected;
    } else {
      const contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < Math.min(reflected.value, worst.value)) simplex[size] = contracted;
      else {
        for (let index = 1; index <= size; index++) {
          const { point } = simplex[index] as Vertex;
          simplex[index] = at(point.map((x, axis) => ((best.point[axis] as number) + x) / 2));
        }
      }
    }
  }
}
