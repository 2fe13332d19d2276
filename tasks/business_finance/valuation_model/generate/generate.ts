import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import {
  accountNames,
  assumptionNames,
  driverNames,
  forecastYears,
  type InputName,
  scenarioNames,
} from "../valuation/valuation-inputs.ts";
import { draftCompany } from "./draft-company.ts";

const notes: Readonly<Partial<Record<InputName, string>>> = {
  one_off_cost: "closure of a site; in the operating expenses of the last year and will not return",
  tax_losses: "brought forward at the end of the last year",
  loss_limit: "share of a year's profit that losses may be set off against",
  depreciation_rate: "of the opening net fixed assets",
  receivable_days: "of revenue",
  inventory_days: "of cost of sales",
  payable_days: "of cost of sales",
  terminal_depreciation: "share of capital expenditure",
  debt_rate: "before tax",
  debt_share: "of enterprise value at target",
  shares: "thousands; without treasury shares",
  options: "thousands; all exercisable",
};

/** Accounts of three years, assumptions and scenarios; the inputs of the valuation go to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const company = draftCompany(params, random.fork("company"));
  const { values, scenarios } = company;
  const past = random.fork("past");
  const years = [2, 1, 0].map((back) => params.base_year - back);
  const accounts = accountNames.map((name) => {
    const earlier = [0.88, 0.94].map((part) =>
      Math.round(values[name] * (part + 0.05 * (past.next() - 0.5))),
    );
    return [name, ...earlier, values[name]];
  });
  writeTable(join(input, "historical.csv"), [["item", ...years], ...accounts]);
  writeTable(join(input, "assumptions.csv"), [
    ["key", "value", "note"],
    ...assumptionNames.map((name) => [name, values[name], quoted(notes[name] ?? "")]),
  ]);
  const forecasts = Array.from({ length: forecastYears }, (_, index) => params.base_year + 1 + index);
  writeTable(join(input, "scenarios.csv"), [
    ["scenario", "driver", ...forecasts],
    ...scenarioNames.flatMap((scenario) =>
      driverNames.map((driver) => [scenario, driver, ...scenarios[scenario][driver]]),
    ),
  ]);
  writeFileSync(join(reference, "inputs.json"), `${JSON.stringify(company)}\n`);
}

function writeTable(path: string, rows: readonly (readonly (string | number)[])[]): void {
  writeFileSync(path, rows.map((row) => `${row.join(",")}\n`).join(""));
}

function quoted(text: string): string {
  return text.includes(",") || text.includes(";") ? `"${text}"` : text;
}
