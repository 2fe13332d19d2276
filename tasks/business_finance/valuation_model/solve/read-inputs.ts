import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Params } from "../params.ts";
import type { Drivers, InputName, ScenarioName, ValuationInputs } from "../valuation/valuation-inputs.ts";

/** The three tables as the agent finds them. */
export function readInputs(input: string, { base_year, scenario }: Params): ValuationInputs {
  const rows = (name: string): Record<string, string>[] =>
    parse(readFileSync(join(input, name)), { columns: true }) as Record<string, string>[];
  const values: Record<string, number> = {};
  for (const row of rows("historical.csv")) values[row["item"] as string] = Number(row[String(base_year)]);
  for (const row of rows("assumptions.csv")) values[row["key"] as string] = Number(row["value"]);
  const scenarios: Record<string, Record<string, number[]>> = {};
  for (const { scenario: name = "", driver = "", ...years } of rows("scenarios.csv")) {
    scenarios[name] = { ...scenarios[name], [driver]: Object.values(years).map(Number) };
  }
  return {
    scenario,
    values: values as Record<InputName, number>,
    scenarios: scenarios as unknown as Record<ScenarioName, Drivers>,
  };
}
