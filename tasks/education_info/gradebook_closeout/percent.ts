import type { Book, Category, Score } from "./book.ts";

/**
 * A student's weighted percentage in tenths, halves rounded up, as the syllabus words it: excused and blank work is
 * left out, the lowest scores of a category are dropped, and categories without a score give up their weight.
 * `undefined` when nothing counts. Exact: no floating point.
 */
export function percentTenths(book: Book, student: string): number | undefined {
  const scores = book.scores[student] ?? {};
  let numerator = 0n;
  let denominator = 1n;
  let weights = 0;
  for (const category of book.categories) {
    const [earned, possible] = countedOf(book, category, scores);
    if (possible === 0 || category.weight === 0) continue;
    numerator = numerator * BigInt(possible) + BigInt(category.weight * earned) * denominator;
    denominator *= BigInt(possible);
    weights += category.weight;
  }
  if (weights === 0) return undefined;
  const whole = denominator * BigInt(weights);
  return Number((2n * 1000n * numerator + whole) / (2n * whole));
}

/** Tenths as the gradebook writes them: `87.5`. */
export function formatTenths(tenths: number): string {
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/** Within a category all assignments have the same points possible, so the lowest points are the lowest share. */
function countedOf(
  book: Book,
  category: Category,
  scores: Readonly<Record<string, Score>>,
): readonly [earned: number, possible: number] {
  const counted = book.assignments
    .filter((assignment) => assignment.category === category.id)
    .flatMap((assignment) => {
      const { points = null, mark = "" } = scores[assignment.id] ?? {};
      return points === null || mark === "excused" ? [] : [{ points, mark, possible: assignment.points }];
    });
  const drop = Math.min(category.drop, Math.max(0, counted.length - 1));
  const droppable = counted
    .filter(({ mark }) => mark !== "keep")
    .sort((first, second) => first.points - second.points);
  const kept = [...counted.filter(({ mark }) => mark === "keep"), ...droppable.slice(drop)];
  return [
    kept.reduce((sum, { points }) => sum + points, 0),
    kept.reduce((sum, { possible }) => sum + possible, 0),
  ];
}
