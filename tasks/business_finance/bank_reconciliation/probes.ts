import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read, utils, type WorkBook, write } from "@e965/xlsx";
import type { Probe, ProbeContext } from "ale/task";
import { parse } from "csv-parse/sync";
import { parseMoney } from "./formats/money.ts";
import { stringifyTable } from "./formats/stringify-table.ts";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;
type Rows = readonly (readonly string[])[];

const tables = ["matched_items.csv", "journal_entries.csv"];

function editTable({ output }: Context, name: string, edit: (rows: Rows) => Rows): void {
  const path = join(output, name);
  const [header = [], ...rows] = parse(readFileSync(path, "utf8")) as string[][];
  writeFileSync(path, stringifyTable([header, ...edit(rows)]));
}

function editWorkbook({ output }: Context, edit: (workbook: WorkBook) => void): void {
  const path = join(output, "reconciliation.xlsx");
  const workbook = read(readFileSync(path), { cellFormula: true });
  edit(workbook);
  writeFileSync(path, write(workbook, { type: "buffer", bookType: "xlsx" }) as Uint8Array);
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content reconcile nothing.",
    make({ output }) {
      for (const name of [...tables, "reconciliation.xlsx"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "headers-only",
    kind: "format-only",
    expected: 0,
    because: "The right shapes without a matched line are no work.",
    make(context) {
      for (const name of tables) editTable(context, name, () => []);
      editWorkbook(context, (workbook) => {
        workbook.Sheets["Items"] = utils.aoa_to_sheet([["account", "class", "reference", "date", "amount"]]);
      });
    },
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The ledger is no reconciliation of it.",
    make({ input, output }) {
      for (const name of tables) copyFileSync(join(input, "outstanding_prior_month.csv"), join(output, name));
      copyFileSync(join(input, "general_ledger.xlsx"), join(output, "reconciliation.xlsx"));
    },
  },
  {
    name: "amounts-in-cents",
    kind: "unit-error",
    expected: 0,
    because: "A register whose amounts are a hundredfold matches nothing.",
    make: (context) =>
      editTable(context, "matched_items.csv", (rows) =>
        rows.map((row) => row.with(3, `${parseMoney(row[3] ?? "")}.00`)),
      ),
  },
  {
    name: "pasted-values",
    kind: "near-miss",
    expected: [0.8, 0.86],
    because: "Everything is right, but the workbook does not calculate.",
    make: (context) =>
      editWorkbook(context, ({ Sheets }) => {
        for (const cell of Object.values(Sheets["Reconciliation"] ?? {})) delete (cell as { f?: string }).f;
      }),
  },
  {
    name: "a-cent-off",
    kind: "off-tolerance",
    expected: [0.85, 0.99],
    because: "One entry and one reconciling item are a cent off, so the accounts no longer agree.",
    make(context) {
      editTable(context, "journal_entries.csv", (rows) => {
        const [first = []] = rows;
        const moved = (text = ""): string =>
          text === "" ? "" : ((parseMoney(text) ?? 0) / 100 + 0.01).toFixed(2);
        return rows.map((row) =>
          row[0] === first[0] ? row.with(3, moved(row[3])).with(4, moved(row[4])) : row,
        );
      });
      editWorkbook(context, ({ Sheets }) => {
        const cell = Sheets["Items"]?.["E2"] as { v: number };
        cell.v += 0.01;
      });
    },
  },
  {
    name: "no-journal",
    kind: "near-miss",
    expected: [0.65, 0.72],
    because: "The journal is 30 % of the work.",
    make: ({ output }) => rmSync(join(output, "journal_entries.csv")),
  },
  {
    name: "no-workbook",
    kind: "truncated",
    expected: 0,
    because: "Without the reconciliation itself, register and journal cannot be signed off.",
    make: ({ output }) => rmSync(join(output, "reconciliation.xlsx")),
  },
  {
    name: "a-third-of-the-register",
    kind: "truncated",
    expected: 0,
    because: "A register with F1 below one half is not usable.",
    make: (context) =>
      editTable(context, "matched_items.csv", (rows) => rows.slice(0, Math.floor(rows.length / 3.2))),
  },
  {
    name: "other-order-and-names",
    kind: "valid-alternative",
    expected: 1,
    because: "The order of rows, the names of entries, zeros and separators of thousands mean nothing.",
    make(context) {
      editTable(context, "matched_items.csv", (rows) =>
        context.random
          .shuffle(rows)
          .map((row) => row.with(3, (row[3] ?? "").replace(/^(-?\d+)(\d{3}\.)/, "$1,$2"))),
      );
      editTable(context, "journal_entries.csv", (rows) =>
        context.random.shuffle(
          rows.map((row) =>
            row
              .with(0, `AJE-${row[0]}`)
              .with(3, row[3] || "0")
              .with(4, row[4] || "0.00"),
          ),
        ),
      );
    },
  },
  {
    name: "other-formulas",
    kind: "valid-alternative",
    expected: 1,
    because:
      "SUMPRODUCT over whole columns of typed numbers does what SUMIFS does; lines may stand in another order.",
    make: (context) =>
      editWorkbook(context, ({ Sheets }) => {
        const items = Sheets["Items"] ?? {};
        for (const [address, cell] of Object.entries(items)) {
          if (/^A[2-9]|^A\d\d/.test(address))
            Object.assign(cell as object, { t: "n", v: Number((cell as { v: string }).v) });
        }
        const sum = (account: string, itemClass: string): string =>
          `SUMPRODUCT((Items!$A$2:$A$400=${account}+0)*(Items!$B$2:$B$400="${itemClass}")*Items!$E$2:$E$400)`;
        const formulas = (column: string, account: string): (readonly [string, string | undefined])[] => [
          ["difference", `${column}9-${column}5`],
          ["bank_balance", undefined],
          ["outstanding_cheques", sum(account, "outstanding_cheque")],
          ["adjusted_book_balance", `SUM(${column}7:${column}8)`],
          ["deposits_in_transit", sum(account, "deposit_in_transit")],
          ["book_balance", undefined],
          ["book_adjustments", sum(account, "book_adjustment")],
          ["adjusted_bank_balance", `${column}3-${column}4+${column}6`],
        ];
        const old = Sheets["Reconciliation"] ?? {};
        const sheet = utils.aoa_to_sheet([["line", 1010, 1020]]);
        for (const [column, account] of [
          ["B", "1010"],
          ["C", "1020"],
        ] as const) {
          for (const [index, [name, formula]] of formulas(column, account).entries()) {
            const from = name === "bank_balance" ? `${column}2` : `${column}6`;
            sheet[`A${index + 2}`] = { t: "s", v: name };
            sheet[`${column}${index + 2}`] = formula === undefined ? old[from] : { t: "n", v: 0, f: formula };
          }
        }
        sheet["!ref"] = "A1:C9";
        Sheets["Reconciliation"] = sheet;
      }),
  },
];
