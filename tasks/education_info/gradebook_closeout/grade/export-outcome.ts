import type { Outcome } from "ale/grade/outcome";
import { readText } from "ale/grade/rubric/read-artifact";
import { gradeAgreement } from "ale/grade/sequence/agreement";
import { parse } from "csv-parse/sync";
import type { Student } from "../book.ts";

const header = ["student_number", "name", "percent", "grade"];

/** F1 of the exported rows and those that should have been exported. */
export async function exportOutcome(artifacts: string, students: readonly Student[]): Promise<Outcome> {
  const text = await readText(artifacts, "final_grades.csv", { maxBytes: 1_000_000 });
  if (text.kind === "bad") return text.outcome;
  let rows: readonly (readonly string[])[];
  try {
    rows = parse(text.value, { bom: true, skip_empty_lines: true });
  } catch (error) {
    return { score: 0, message: `final_grades.csv is no table: ${(error as Error).message.slice(0, 120)}` };
  }
  const [first = [], ...body] = rows;
  if (JSON.stringify(first) !== JSON.stringify(header)) {
    return { score: 0, message: `final_grades.csv should begin with ${header.join(",")}.` };
  }
  const expected = students.map(({ number, name, percent, letter }) => [number, name, percent, letter]);
  return gradeAgreement(body.map(keyOf), expected.map(keyOf), {});
}

function keyOf(row: readonly string[]): string {
  return row.join(" | ");
}
