import type { Random } from "ale/contract/random";
import type { ExamRow } from "../decision.ts";
import { transpose } from "./cast.ts";

const perPart = 25;

/** The sheet of the marked exams: one number with two digits exchanged, and two exams that were marked twice. */
export function examSheet(
  random: Random,
  exams: readonly { readonly number: string; readonly name: string; readonly total: number }[],
): readonly ExamRow[] {
  const rows = exams.map(
    ({ number, name, total }): ExamRow => ({ number, name, parts: partsOf(random, total), marking: 1 }),
  );
  const [mistyped, ...twice] = random.shuffle(rows).slice(0, 3);
  const sheet = rows.flatMap((row): readonly ExamRow[] => {
    if (row === mistyped) return [{ ...row, number: transpose(row.number) }];
    if (!twice.includes(row)) return [row];
    const total = row.parts.reduce((sum, part) => sum + part, 0);
    const first = partsOf(random, Math.max(0, total - random.integer(3, 9)));
    return [
      { ...row, parts: first },
      { ...row, marking: 2 },
    ];
  });
  return random.shuffle(sheet);
}

function partsOf(random: Random, total: number): ExamRow["parts"] {
  const parts: [number, number, number, number] = [0, 0, 0, 0];
  for (let left = total; left > 0; ) {
    const place = random.integer(0, 3) as 0 | 1 | 2 | 3;
    if (parts[place] === perPart) continue;
    parts[place]++;
    left--;
  }
  return parts;
}
