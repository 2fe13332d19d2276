import type { Category } from "../book.ts";

/** The grading rules of this term, as students were given them. */
export function writeSyllabus(course: string, categories: readonly Category[]): string {
  const rows = categories.map(
    ({ name, weight, drop }) => `| ${name} | ${weight} % | ${drop === 0 ? "none" : drop} |`,
  );
  return `# ${course}: how you are graded

| category | weight | lowest scores dropped |
| -------- | ------ | --------------------- |
${rows.join("\n")}

- **Late work** loses a tenth of the points possible for each day it is late. More than three days late, it counts 0. No score
  goes below 0. With an extension, only the days beyond the extension are late days.
- **Work that never came in** counts 0, and so does an exam or quiz that was missed, unless it is excused. Excused work is left
  out of the calculation; its points stay empty.
- **The final exam** has four parts of 25 points. Where it was marked twice, the second marking counts.
- **Academic integrity**: a score that the Dean's office sets to 0 is never dropped.
- **Grades**, from the percentage rounded to one decimal: A from 90.0, B from 80.0, C from 70.0, D from 60.0, else F.
- **Borderline**: a percentage that is 0.5 points or less below a cutoff gets the better grade if you attended at least 95 % of
  the sessions.
- **I** (incomplete) is given to students whose final exam the registrar has deferred, whatever their percentage.
- **W** is given to students who have withdrawn. Their scores stay as they are.
`;
}
