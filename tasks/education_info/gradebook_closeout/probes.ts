import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Book, Score } from "./book.ts";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;

const files = ["gradebook.json", "final_grades.csv"];

function read(dir: string, name: string): Book {
  return JSON.parse(readFileSync(join(dir, name), "utf8")) as Book;
}

function handInBook({ output }: Context, book: Book): void {
  writeFileSync(join(output, "gradebook.json"), `${JSON.stringify(book)}\n`);
}

function editBook(context: Context, edit: (book: Book) => Book): void {
  handInBook(context, edit(read(context.output, "gradebook.json")));
}

function editScores(context: Context, edit: (now: Score, was: Score) => Score): void {
  const was = read(context.reference, "initial.json").scores;
  editBook(context, (book) => ({
    ...book,
    scores: Object.fromEntries(
      Object.entries(book.scores).map(([student, cells]) => [
        student,
        Object.fromEntries(
          Object.entries(cells).map(([id, cell]) => [id, edit(cell, was[student]?.[id] ?? cell)]),
        ),
      ]),
    ),
  }));
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "untouched-gradebook",
    kind: "near-miss",
    expected: 0,
    because: "The section as it was found is open and has no grades.",
    make(context) {
      handInBook(context, read(context.reference, "initial.json"));
      rmSync(join(context.output, "final_grades.csv"));
    },
  },
  {
    name: "closed-without-work",
    kind: "format-only",
    expected: 0,
    because: "A section that was only closed, all grades alike, has none of the changes.",
    make(context) {
      const book = read(context.reference, "initial.json");
      const students = book.students.map((one) => ({ ...one, letter: "E", percent: "75.0" }));
      handInBook(context, { ...book, status: "closed", students });
      const rows = students.map(({ number, name }) => `${number},"${name}",75.0,E\n`);
      writeFileSync(
        join(context.output, "final_grades.csv"),
        `student_number,name,percent,grade\n${rows.join("")}`,
      );
    },
  },
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content say nothing of a gradebook.",
    make({ output }) {
      for (const name of files) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The exam sheet is no gradebook and no export.",
    make({ input, output }) {
      for (const name of files) copyFileSync(join(input, "final_exam.csv"), join(output, name));
    },
  },
  {
    name: "not-submitted",
    kind: "near-miss",
    expected: 0,
    because: "The registrar has no grades of a section that is open, however right they are.",
    make: (context) => editBook(context, (book) => ({ ...book, status: "open" })),
  },
  {
    name: "no-export",
    kind: "truncated",
    expected: [0.89, 0.91],
    because: "The export is a tenth of the work.",
    make: ({ output }) => rmSync(join(output, "final_grades.csv")),
  },
  {
    name: "half-the-export",
    kind: "truncated",
    expected: [0.92, 0.98],
    because: "Half the rows of the export are missing.",
    make({ output }) {
      const lines = readFileSync(join(output, "final_grades.csv"), "utf8").split("\n");
      writeFileSync(join(output, "final_grades.csv"), lines.slice(0, Math.ceil(lines.length / 2)).join("\n"));
    },
  },
  {
    name: "old-settings",
    kind: "near-miss",
    expected: [0.89, 0.91],
    because: "The weights are those of the term before; grades from them would cost more.",
    make: (context) =>
      editBook(context, (book) => ({
        ...book,
        categories: read(context.reference, "initial.json").categories,
      })),
  },
  {
    name: "one-point-more",
    kind: "off-tolerance",
    expected: [0.6, 0.995],
    because: "Every score that had to be entered is a point too high: none of them counts.",
    make: (context) =>
      editScores(context, (now, was) =>
        now.points === null || now.points === was.points ? now : { ...now, points: now.points + 1 },
      ),
  },
  {
    name: "blanks-left-blank",
    kind: "near-miss",
    expected: [0.9, 0.999],
    because: "Work that never came in has to count 0.",
    make: (context) => editScores(context, (now, was) => (now.points === 0 ? was : now)),
  },
  {
    name: "percentages-as-shares",
    kind: "unit-error",
    expected: [0.7, 0.95],
    because:
      "0.875 is not the gradebook's 87.5; half of what the grades are worth, and the export, are lost.",
    make(context) {
      const share = (text: string): string => (text === "" ? "" : String(Number(text) / 100));
      editBook(context, (book) => ({
        ...book,
        students: book.students.map((one) => ({ ...one, percent: share(one.percent) })),
      }));
    },
  },
  {
    name: "everyone-harmed",
    kind: "near-miss",
    expected: [0.5, 0.65],
    because: "Scores that were right beforehand were overwritten: nothing is left of that part.",
    make: (context) =>
      editScores(context, (now, was) =>
        now.points === was.points && now.points !== null ? { ...now, points: 0 } : now,
      ),
  },
  {
    name: "rows-in-another-order",
    kind: "valid-alternative",
    expected: 1,
    because:
      "A spreadsheet may have saved the export: other order, quotes and line ends, and a byte order mark.",
    make({ output, random }) {
      const [head = "", ...rows] = readFileSync(join(output, "final_grades.csv"), "utf8")
        .trimEnd()
        .split("\n");
      const lines = [head, ...random.shuffle(rows)].map((line) => `${line}\r\n`);
      writeFileSync(join(output, "final_grades.csv"), `\uFEFF${lines.join("")}`);
    },
  },
];
