import type { Random } from "ale/contract/random";
import type { Assignment, Category } from "../book.ts";

/** Each category: its name, how many assignments, points possible of each. */
const shape = [
  ["Homework", 8, 20],
  ["Quizzes", 6, 10],
  ["Midterm", 1, 100],
  ["Project", 1, 50],
  ["Final exam", 1, 100],
] as const;

/** Weights and numbers of dropped scores, one set a term. */
const schemes: readonly (readonly (readonly [weight: number, drop: number])[])[] = [
  [
    [20, 1],
    [15, 1],
    [20, 0],
    [15, 0],
    [30, 0],
  ],
  [
    [25, 1],
    [10, 2],
    [20, 0],
    [10, 0],
    [35, 0],
  ],
  [
    [15, 2],
    [15, 1],
    [25, 0],
    [15, 0],
    [30, 0],
  ],
];

export interface Course {
  /** As the syllabus has them. */
  readonly categories: readonly Category[];
  /** As the gradebook still has them from the term before. */
  readonly oldCategories: readonly Category[];
  readonly assignments: readonly Assignment[];
}

export function makeCourse(random: Random): Course {
  const [now = [], before = []] = random.shuffle(schemes);
  const named = (scheme: typeof now): readonly Category[] =>
    shape.map(([name], index) => {
      const [weight = 0, drop = 0] = scheme[index] ?? [];
      return { id: index + 1, name, weight, drop };
    });
  const assignments: Assignment[] = [];
  for (const [index, [name, count, points]] of shape.entries()) {
    for (let place = 1; place <= count; place++) {
      const singular = name === "Quizzes" ? "Quiz" : name;
      assignments.push({
        id: assignments.length + 1,
        category: index + 1,
        name: count === 1 ? name : `${singular} ${place}`,
        points,
      });
    }
  }
  return { categories: named(now), oldCategories: named(before), assignments };
}
