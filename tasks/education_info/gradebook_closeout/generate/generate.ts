import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Book } from "../book.ts";
import type { Params } from "../params.ts";
import { makeTerm } from "./make-term.ts";
import { writeMail } from "./write-mail.ts";
import { writeSyllabus } from "./write-syllabus.ts";

/** Writes the term's papers; the gradebook before and after goes to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const term = makeTerm(random, params);
  const { initial, expected } = term;
  const nameOf = (number: string): string =>
    initial.students.find((one) => one.number === number)?.name ?? "";
  const workOf = (id: number): string => initial.assignments.find((one) => one.id === id)?.name ?? "";
  const save = (name: string, rows: readonly (readonly (string | number)[])[]): void =>
    writeFileSync(join(input, name), csv(rows));
  writeFileSync(join(input, "syllabus.md"), writeSyllabus(params.course, expected.categories));
  save("final_exam.csv", [
    ["student_number", "name", "part_a", "part_b", "part_c", "part_d", "marking"],
    ...term.exams.map(({ number, name, parts, marking }) => [number, name, ...parts, marking]),
  ]);
  save("late_work.csv", [
    ["student_number", "name", "assignment", "points", "days_late"],
    ...term.late.map((one) => [
      one.student,
      nameOf(one.student),
      workOf(one.assignment),
      one.points,
      one.days,
    ]),
  ]);
  save("registrar_changes.csv", [
    ["student_number", "name", "entry", "change"],
    ...term.registrar.map((one) => [one.student, nameOf(one.student), one.entry, one.change]),
  ]);
  save("attendance.csv", [
    ["student_number", "name", "sessions_attended", "sessions_held"],
    ...term.attendance.map((one) => [one.student, nameOf(one.student), one.attended, one.held]),
  ]);
  mkdirSync(join(input, "mail"));
  for (const [index, text] of writeMail(random, initial, params.course, term.decisions).entries()) {
    writeFileSync(join(input, "mail", `${String(index + 1).padStart(2, "0")}.txt`), text);
  }
  const keep = (name: string, book: Book): void =>
    writeFileSync(join(reference, name), `${JSON.stringify(book)}\n`);
  keep("initial.json", initial);
  keep("expected.json", expected);
}

function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    String(value).includes(",") ? `"${value}"` : String(value);
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}
