/** Indices of a row and a column that belong together. */
export interface AssignedPair {
  readonly row: number;
  readonly column: number;
}

/**
 * Pairs rows with columns, each at most once, so that the sum of the gains is the largest possible (Kuhn, 1955;
 * Munkres, 1957; in the O(n²·m) form with potentials). Pairs of gain 0 are left out.
 * @param gain rectangular, finite, ≥ 0.
 */
export function assignOptimally(gain: readonly (readonly number[])[]): AssignedPair[] {
  const rows = gain.length;
  const columns = gain[0]?.length ?? 0;
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => gain.map((line) => line[column] ?? 0));
    return assignOptimally(turned)
      .map(({ row, column }) => ({ row: column, column: row }))
      .sort((a, b) => a.row - b.row);
  }
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  /** 1-based row that holds each 1-based column; 0 for none. */
  const holder = new Int32Array(columns + 1);
  const cameFrom = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    holder[0] = row;
    let column = 0;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const seen = new Uint8Array(columns + 1);
    do {
      seen[column] = 1;
      const at = holder[column] ?? 0;
      let least = Number.POSITIVE_INFINITY;
      let following = 0;
      for (let other = 1; other <= columns; other++) {
        if (seen[other] === 1) continue;
        const cost =
          -(gain[at - 1]?.[other - 1] ?? 0) - (rowPotential[at] ?? 0) - (columnPotential[other] ?? 0);
        if (cost < (slack[other] ?? 0)) {
          slack[other] = cost;
          cameFrom[other] = column;
        }
        if ((slack[other] ?? 0) < least) {
          least = slack[other] ?? 0;
          following = other;
        }
      }
      for (let other = 0; other <= columns; other++) {
        if (seen[other] === 1) {
          const held = holder[other] ?? 0;
          rowPotential[held] = (rowPotential[held] ?? 0) + least;
          columnPotential[other] = (columnPotential[other] ?? 0) - least;
        } else slack[other] = (slack[other] ?? 0) - least;
      }
      column = following;
    } while ((holder[column] ?? 0) !== 0);
    while (column !== 0) {
      const previous = cameFrom[column] ?? 0;
      holder[column] = holder[previous] ?? 0;
      column = previous;
    }
  }
  const pairs: AssignedPair[] = [];
  for (let column = 1; column <= columns; column++) {
    const row = (holder[column] ?? 0) - 1;
    if (row >= 0 && (gain[row]?.[column - 1] ?? 0) > 0) pairs.push({ row, column: column - 1 });
  }
  return pairs.sort((a, b) => a.row - b.row);
}

/** Pairs rows with columns by taking the largest gain left, again and again; earlier rows and columns win ties. */
export function assignGreedily(gain: readonly (readonly number[])[]): AssignedPair[] {
  const candidates: (AssignedPair & { readonly gain: number })[] = [];
  for (const [row, line] of gain.entries()) {
    for (const [column, value] of line.entries())
      if (value > 0) candidates.push({ row, column, gain: value });
  }
  candidates.sort((a, b) => b.gain - a.gain || a.row - b.row || a.column - b.column);
  const rows = new Set<number>();
  const columns = new Set<number>();
  const pairs: AssignedPair[] = [];
  for (const { row, column } of candidates) {
    if (rows.has(row) || columns.has(column)) continue;
    rows.add(row);
    columns.add(column);
    pairs.push({ row, column });
  }
  return pairs.sort((a, b) => a.row - b.row);
}
