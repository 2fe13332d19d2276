/**
 * Optimal string alignment distance (Damerau–Levenshtein with adjacent transpositions, no substring edited
 * twice): how many insertions, deletions, substitutions and swaps turn one text into the other.
 */
export function editDistance(first: string, second: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: second.length + 1 }, (_, column) => column);
  for (let row = 1; row <= first.length; row++) {
    const current = [row];
    for (let column = 1; column <= second.length; column++) {
      const cost = first[row - 1] === second[column - 1] ? 0 : 1;
      let best = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + cost,
      );
      const swapped = row > 1 && column > 1 && first[row - 1] === second[column - 2];
      if (swapped && first[row - 2] === second[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] as number) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[second.length] as number;
}

/**
 * The candidate closest to what was written, or `undefined` when none is near enough to be meant: at most
 * two fifths of the longer text away, or a candidate that begins with it. Ties go to the earlier candidate.
 */
export function nearest(written: string, candidates: readonly string[]): string | undefined {
  const plain = fold(written);
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const other = fold(candidate);
    const prefix = plain.length >= 3 && (other.startsWith(plain) || plain.startsWith(other));
    const distance = prefix ? Math.min(1, editDistance(plain, other)) : editDistance(plain, other);
    const allowed = Math.max(1, Math.floor(Math.max(plain.length, other.length) * 0.4));
    if (distance <= allowed && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate;
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, "");
}
