import { bad, ok, type Read } from "ale/grade/rubric/read";
import { formatAddress, parseAddress } from "ale/grade/spreadsheet/cell-address";
import { findSheet } from "ale/grade/spreadsheet/find-cells";
import type { Workbook, WorkbookSheet } from "ale/grade/spreadsheet/workbook";
import {
  driverNames,
  inputNames,
  scenarioNames,
  type ValuationInputs,
} from "../valuation/valuation-inputs.ts";
import {
  growthSteps,
  modelLines,
  summaryNames,
  type Valuation,
  waccSteps,
} from "../valuation/value-company.ts";

/** A number that must stand in a cell. */
export interface Figure {
  readonly sheet: string;
  readonly cell: string;
  readonly name: string;
  readonly value: number;
}

/** Where things stand in an agent's workbook. */
export interface OpenValuation {
  /** What must be typed in for some inputs: also the edits that put those inputs in. */
  typedIn(inputs: ValuationInputs): readonly Figure[];
  model(valuation: Valuation): readonly Figure[];
  summary(valuation: Valuation): readonly Figure[];
  sensitivity(valuation: Valuation): readonly Figure[];
}

/** Finds the names in column A of each sheet; bad when a sheet or a name is not there once. */
export function openValuation(workbook: Workbook): Read<OpenValuation> {
  const rowsOf = new Map<string, ReadonlyMap<string, number>>();
  const wanted: readonly (readonly [sheet: string, names: readonly string[]])[] = [
    ["Inputs", ["scenario", ...inputNames]],
    ["Scenarios", scenarioNames.flatMap((scenario) => driverNames.map((driver) => `${scenario} ${driver}`))],
    ["Model", modelLines.map(({ name }) => name)],
    ["Summary", summaryNames],
    ["Sensitivity", []],
  ];
  for (const [name, labels] of wanted) {
    const sheet = findSheet(workbook, name);
    if (sheet.kind === "bad") return sheet;
    const rows = labelledRows(sheet.value, name === "Scenarios" ? 2 : 1);
    const found = labels.filter((label) => rows.get(label)?.length === 1);
    if (found.length < labels.length) {
      const absent = labels.filter((label) => !found.includes(label));
      return bad(`The sheet ${name} does not have once each: ${absent.join(", ")}.`);
    }
    rowsOf.set(name, new Map(found.map((label) => [label, rows.get(label)?.[0] as number])));
  }
  const figure = (sheet: string, label: string, column: number, value: number): Figure => ({
    sheet,
    cell: formatAddress({ row: rowsOf.get(sheet)?.get(label) as number, column }),
    name: label,
    value,
  });
  return ok({
    typedIn: ({ scenario, values, scenarios }) => [
      figure("Inputs", "scenario", 1, scenario),
      ...inputNames.map((name) => figure("Inputs", name, 1, values[name])),
      ...scenarioNames.flatMap((name) =>
        driverNames.flatMap((driver) =>
          scenarios[name][driver].map((value, year) =>
            figure("Scenarios", `${name} ${driver}`, year + 2, value),
          ),
        ),
      ),
    ],
    model: ({ lines }) =>
      modelLines.flatMap(({ name }) =>
        lines[name].flatMap((value, year) =>
          value === undefined ? [] : [figure("Model", name, year + 1, value)],
        ),
      ),
    summary: ({ summary }) => summaryNames.map((name) => figure("Summary", name, 1, summary[name])),
    sensitivity: ({ sensitivity }) =>
      waccSteps.flatMap((_, row) =>
        growthSteps.map((_, column) => ({
          sheet: "Sensitivity",
          cell: formatAddress({ row: row + 1, column: column + 1 }),
          name: `row ${row + 2}`,
          value: sensitivity[row]?.[column] as number,
        })),
      ),
  });
}

/** Rows by the texts of their first cells, joined by a blank. */
function labelledRows(sheet: WorkbookSheet, cells: number): ReadonlyMap<string, readonly number[]> {
  const rows = new Map<string, number[]>();
  for (const address of sheet.cells.keys()) {
    const position = parseAddress(address);
    if (position?.column !== 0) continue;
    const label = Array.from({ length: cells }, (_, column) =>
      textAt(sheet, formatAddress({ row: position.row, column })),
    ).join(" ");
    rows.set(label, [...(rows.get(label) ?? []), position.row]);
  }
  return rows;
}

function textAt(sheet: WorkbookSheet, address: string): string {
  const value = sheet.cells.get(address)?.value;
  return value?.kind === "text" ? value.value.trim().toLowerCase() : "";
}
