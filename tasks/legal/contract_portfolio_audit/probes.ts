import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";
import { readCsv } from "./read-csv.ts";
import { type Conflict, columns, obligations } from "./register.ts";

type Cells = Readonly<Record<(typeof columns)[number], string>>;
type Context = ProbeContext<Params>;

function readRows({ output }: Context): readonly Cells[] {
  const [, ...lines] = readCsv(readFileSync(join(output, "obligations.csv"), "utf8"));
  return lines.map(
    (cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""])) as Cells,
  );
}

function writeRows(
  { output }: Context,
  rows: readonly Cells[],
  order: readonly (keyof Cells)[] = columns,
): void {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = [order.join(","), ...rows.map((row) => order.map((name) => quote(row[name])).join(","))];
  writeFileSync(join(output, "obligations.csv"), `${lines.join("\r\n")}\r\n`);
}

function editConflicts({ output }: Context, edit: (list: readonly Conflict[]) => readonly Conflict[]): void {
  const path = join(output, "conflicts.json");
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")))));
}

function shift(day: string, days: number): string {
  return day === "" ? "" : new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Two files without content are no audit.",
    make({ output }) {
      for (const name of ["obligations.csv", "conflicts.json"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "no-rows",
    kind: "format-only",
    expected: 0,
    because: "A header and an empty list find nothing.",
    make(context) {
      writeRows(context, []);
      editConflicts(context, () => []);
    },
  },
  {
    name: "everything-listed",
    kind: "format-only",
    expected: 0,
    because:
      "Every obligation of every contract, with a clause that was not looked up, tells nobody anything.",
    make(context) {
      const first = new Map(readRows(context).map((row) => [row.contract, row]));
      const all = [...first.values()].flatMap((row) =>
        obligations.map((obligation) => ({ ...row, obligation, clause: "2.1" })),
      );
      writeRows(context, all);
    },
  },
  {
    name: "each-row-thrice",
    kind: "near-miss",
    expected: 0,
    because: "The right rows are hidden among twice as many wrong ones.",
    make: (context) =>
      writeRows(
        context,
        readRows(context).flatMap((row) => [row, { ...row, clause: "1.1" }, { ...row, clause: "2.2" }]),
      ),
  },
  {
    name: "two-answers-each",
    kind: "near-miss",
    expected: 0,
    because: "A right and a wrong date, amount and party for each obligation leave the choice to the reader.",
    make: (context) =>
      writeRows(
        context,
        readRows(context).flatMap((row) => [
          row,
          {
            ...row,
            party: row.party === "both" ? "" : "both",
            due_date: shift(row.due_date, 1),
            amount: row.amount === "" ? "" : `1${row.amount}`,
          },
        ]),
      ),
  },
  {
    name: "holidays-copied",
    kind: "copied-input",
    expected: 0,
    because: "The list of holidays is no register.",
    make: ({ input, output }) => copyFileSync(join(input, "holidays.csv"), join(output, "obligations.csv")),
  },
  {
    name: "amended-rows-missing",
    kind: "near-miss",
    expected: [0.5, 0.97],
    because: "What an amendment or termination fixes is missing; the rest stands, conflicts included.",
    make: (context) =>
      writeRows(
        context,
        readRows(context).filter(
          ({ document, obligation }) =>
            !/amendment|termination|scan_/.test(document) || obligation === "assignment",
        ),
      ),
  },
  {
    name: "a-day-late",
    kind: "off-tolerance",
    expected: [0.7, 0.9],
    because: "A date that is a day off is wrong.",
    make: (context) =>
      writeRows(
        context,
        readRows(context).map((row) => ({ ...row, due_date: shift(row.due_date, 1) })),
      ),
  },
  {
    name: "amounts-in-cents",
    kind: "unit-error",
    expected: [0.8, 0.95],
    because: "Every amount is a hundred times too large.",
    make: (context) =>
      writeRows(
        context,
        readRows(context).map((row) => ({
          ...row,
          amount: row.amount === "" ? "" : String(Math.round(Number(row.amount) * 100)),
        })),
      ),
  },
  {
    name: "first-third",
    kind: "truncated",
    expected: 0,
    because: "Less than half of the register is of no use.",
    make(context) {
      const rows = readRows(context);
      writeRows(context, rows.slice(0, Math.floor(rows.length / 3)));
    },
  },
  {
    name: "no-conflicts",
    kind: "near-miss",
    expected: [0.6, 0.85],
    because: "The register is right, and the second half of the work was not done.",
    make: (context) => editConflicts(context, () => []),
  },
  {
    name: "other-order-and-form",
    kind: "valid-alternative",
    expected: 1,
    because:
      "Order of rows, columns, conflicts and their clauses, quotes, line ends and thousands commas are free.",
    make(context) {
      const rows = readRows(context).map((row) => ({
        ...row,
        amount:
          row.amount === "" ? "" : Number(row.amount).toLocaleString("en-GB", { maximumFractionDigits: 2 }),
      }));
      writeRows(context, context.random.shuffle(rows), columns.toReversed());
      editConflicts(context, (list) =>
        context.random
          .shuffle(list)
          .map(({ type, clauses: [one, other] }) => ({ type, clauses: [other, one] })),
      );
    },
  },
];
