import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CellObject, read, utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;

const name = "valuation.xlsx";

function editWorkbook({ output }: Context, edit: (sheets: Record<string, WorkSheet>) => void): void {
  const path = join(output, name);
  const workbook: WorkBook = read(readFileSync(path), { cellFormula: true });
  edit(workbook.Sheets);
  writeFileSync(path, write(workbook, { type: "buffer", bookType: "xlsx" }) as Uint8Array);
}

/** The row of a name in column A. */
function rowOf(sheet: WorkSheet = {}, label: string): number {
  const rows = Object.keys(sheet).filter((address) => /^A\d+$/.test(address));
  return Number(rows.find((address) => (sheet[address] as CellObject).v === label)?.slice(1));
}

/** The cell beside a name in column A. */
function beside(sheet: WorkSheet = {}, label: string, column = "B"): CellObject {
  return sheet[`${column}${rowOf(sheet, label)}`] as CellObject;
}

function cellsOf(sheet: WorkSheet | undefined): readonly CellObject[] {
  return Object.entries(sheet ?? {}).flatMap(([key, cell]) =>
    key.startsWith("!") ? [] : [cell as CellObject],
  );
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-file",
    kind: "empty",
    expected: 0,
    because: "A file without content values nothing.",
    make: ({ output }) => writeFileSync(join(output, name), ""),
  },
  {
    name: "inputs-copied",
    kind: "copied-input",
    expected: 0,
    because: "The papers in a workbook are no valuation.",
    make({ input, output }) {
      const workbook = utils.book_new();
      for (const [sheet, file] of [
        ["Inputs", "assumptions.csv"],
        ["Scenarios", "scenarios.csv"],
        ["Model", "historical.csv"],
      ] as const) {
        const parsed = read(readFileSync(join(input, file), "utf8"), { type: "string", raw: false });
        utils.book_append_sheet(workbook, Object.values(parsed.Sheets)[0] as WorkSheet, sheet);
      }
      writeFileSync(join(output, name), write(workbook, { type: "buffer", bookType: "xlsx" }) as Uint8Array);
    },
  },
  {
    name: "shell-without-formulas",
    kind: "format-only",
    expected: 0,
    because: "Inputs and names without figures are the form only.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        for (const sheet of ["Model", "Summary", "Sensitivity"]) {
          for (const cell of cellsOf(sheets[sheet])) {
            if (cell.t !== "n") continue;
            delete cell.f;
            cell.v = 1;
          }
        }
      }),
  },
  {
    name: "pasted-values",
    kind: "near-miss",
    expected: [0.49, 0.51],
    because: "Every figure is right, but nothing calculates: half of the credit.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        for (const cell of Object.values(sheets).flatMap((sheet) => cellsOf(sheet))) delete cell.f;
      }),
  },
  {
    name: "switch-does-nothing",
    kind: "near-miss",
    expected: [0.75, 0.9],
    because: "The formulas look at the scenario handed in, whatever the switch says.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        const row = rowOf(sheets["Inputs"], "scenario");
        for (const cell of cellsOf(sheets["Model"])) {
          const switchCell = new RegExp(`Inputs\\.?!?\\$?B\\$?${row}\\b`, "g");
          if (cell.f !== undefined) cell.f = cell.f.replace(switchCell, String(context.params.scenario));
        }
      }),
  },
  {
    name: "table-of-values",
    kind: "near-miss",
    expected: [0.89, 0.91],
    because: "The sensitivities are right, but typed in: a tenth.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        for (const cell of cellsOf(sheets["Sensitivity"])) delete cell.f;
      }),
  },
  {
    name: "leases-left-out",
    kind: "near-miss",
    expected: [0.7, 0.95],
    because: "Net debt without leases moves equity, value of a share and premium in every case.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        const cell = beside(sheets["Summary"], "net_debt");
        cell.f = cell.f?.replace(/\+([^+]*)(?=\+[^+]*-)/, "") ?? "";
      }),
  },
  {
    name: "other-timing",
    kind: "off-tolerance",
    expected: [0.5, 0.9],
    because: "Discounting as if the year's cash came half a year apart is off by a few per cent.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        for (const column of "CDEFG") {
          const cell = beside(sheets["Model"], "discount_factor", column);
          cell.f = `(${cell.f})/1.04`;
        }
      }),
  },
  {
    name: "rates-in-per-cent",
    kind: "unit-error",
    expected: [0.3, 0.95],
    because: "A tax rate of 25 for 25 % spoils all that comes after tax, as handed in.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        const cell = beside(sheets["Inputs"], "tax_rate");
        cell.v = Number(cell.v) * 100;
      }),
  },
  {
    name: "half-of-the-file",
    kind: "truncated",
    expected: 0,
    because: "A file cut off does not open.",
    make({ output }) {
      const bytes = readFileSync(join(output, name));
      writeFileSync(join(output, name), bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  },
  {
    name: "without-summary",
    kind: "truncated",
    expected: 0,
    because: "Without the sheet that says what a share is worth there is no valuation.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        sheets["Summary"] = utils.aoa_to_sheet([["To be done"]]);
      }),
  },
  {
    name: "other-layout",
    kind: "valid-alternative",
    expected: 1,
    because: "Headings and notes between the rows, another order of lines and other formulas are free.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        const sheet = sheets["Summary"] as WorkSheet;
        const [first, last] = [rowOf(sheet, "premium"), rowOf(sheet, "ev_to_ebitda")];
        for (const column of "AB") {
          const held = sheet[`${column}${first}`] as CellObject;
          sheet[`${column}${first}`] = sheet[`${column}${last}`];
          sheet[`${column}${last}`] = held;
        }
        const debt = beside(sheet, "net_debt");
        debt.f = `SUM(${debt.f?.replaceAll("-", ",-").replaceAll("+", ",")})`;
        for (const cell of cellsOf(sheet)) if (cell.t === "s") cell.v = `  ${String(cell.v).toUpperCase()} `;
        utils.sheet_add_aoa(sheet, [["A note below"], ["and another", 12.5]], { origin: "A20" });
        utils.sheet_add_aoa(sheet, [["thousands, as all amounts"]], { origin: "D1" });
      }),
  },
  {
    name: "calculated-by-other-means",
    kind: "valid-alternative",
    expected: 1,
    because: "Results need not be stored, and CHOOSE does what INDEX does.",
    make: (context) =>
      editWorkbook(context, (sheets) => {
        for (const cell of cellsOf(sheets["Model"])) {
          if (cell.f === undefined) continue;
          cell.v = 0;
          cell.f = cell.f.replace(
            /INDEX\((?:\$?Scenarios[!.])\$([C-G])\$2:\$[C-G]\$13,\((.*?)-1\)\*4\+(\d)\)/g,
            (_whole, column: string, scenario: string, driver: string) =>
              `CHOOSE(${scenario},${[0, 4, 8].map((block) => `Scenarios!${column}${block + Number(driver) + 1}`).join(",")})`,
          );
        }
      }),
  },
];
