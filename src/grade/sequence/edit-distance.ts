/**
 * Levenshtein distance between two sequences (insert, delete, replace cost 1 each), or `undefined` when it is
 * above `limit`. Works in a band around the diagonal: time O(limit · shorter), memory O(shorter).
 * Ukkonen, "Algorithms for approximate string matching", 1985.
 */
export function boundedEditDistance<T>(
  first: readonly T[],
  second: readonly T[],
  limit: number,
): number | undefined {
  const [long, short] = first.length >= second.length ? [first, second] : [second, first];
  const bound = Math.min(Math.floor(limit), long.length);
  if (long.length - short.length > bound) return undefined;
  const beyond = bound + 1;
  const row = new Int32Array(short.length + 1);
  for (let column = 0; column <= short.length; column++) row[column] = Math.min(column, beyond);
  for (let line = 1; line <= long.length; line++) {
    const from = Math.max(1, line - bound);
    const to = Math.min(short.length, line + bound);
    let diagonal = row[from - 1] ?? beyond;
    let left = from === 1 ? Math.min(line, beyond) : beyond;
    row[from - 1] = left;
    let least = left;
    for (let column = from; column <= to; column++) {
      const above = column < line + bound ? (row[column] ?? beyond) : beyond;
      const replace = diagonal + (long[line - 1] === short[column - 1] ? 0 : 1);
      diagonal = row[column] ?? beyond;
      left = Math.min(replace, above + 1, left + 1, beyond);
      row[column] = left;
      if (left < least) least = left;
    }
    if (least >= beyond) return undefined;
  }
  const distance = row[short.length] ?? beyond;
  return distance > bound ? undefined : distance;
}
