import type { Params } from "../params.ts";
import {
  driverNames,
  inputNames,
  scenarioNames,
  type ValuationInputs,
} from "../valuation/valuation-inputs.ts";
import { growthSteps, modelLines, summaryNames, waccSteps } from "../valuation/value-company.ts";

/** A cell as one would type it into Calc: a number, a text, or a formula in English with semicolons. */
export type TypedCell = readonly [address: string, content: string | number];
export type TypedSheet = { readonly name: string; readonly cells: readonly TypedCell[] };

const columns = ["C", "D", "E", "F", "G"] as const;
const lineRow = (name: string): number => modelLines.findIndex((line) => line.name === name) + 2;
const figureRow = (name: (typeof summaryNames)[number]): number => summaryNames.indexOf(name) + 1;

/** The five sheets of the workbook, formulas leading back to what is typed in. */
export function planWorkbook(inputs: ValuationInputs, params: Params): readonly TypedSheet[] {
  const typed: readonly (readonly [string, number])[] = [
    ["scenario", inputs.scenario],
    ...inputNames.map((name) => [name, inputs.values[name]] as const),
  ];
  const given = (name: string): string => `$Inputs.$B$${typed.findIndex(([key]) => key === name) + 1}`;
  return [
    { name: "Inputs", cells: typed.flatMap(([key, value], row) => rowOf(row + 1, [key, value])) },
    { name: "Scenarios", cells: scenarioCells(inputs, params) },
    { name: "Model", cells: modelCells(given, params) },
    {
      name: "Summary",
      cells: summaryNames.flatMap((name, row) => rowOf(row + 1, [name, summaryFormulas(given)[name]])),
    },
    { name: "Sensitivity", cells: sensitivityCells(given, params) },
  ];
}

function rowOf(row: number, contents: readonly (string | number)[]): readonly TypedCell[] {
  return contents.map((content, column) => [`${String.fromCharCode(65 + column)}${row}`, content] as const);
}

function scenarioCells({ scenarios }: ValuationInputs, { base_year }: Params): readonly TypedCell[] {
  const rows = scenarioNames.flatMap((scenario) =>
    driverNames.map((driver) => [scenario, driver, ...scenarios[scenario][driver]]),
  );
  return [["scenario", "driver", ...columns.map((_, index) => base_year + 1 + index)], ...rows].flatMap(
    (row, index) => rowOf(index + 1, row),
  );
}

function modelCells(given: (name: string) => string, { base_year, timing }: Params): readonly TypedCell[] {
  const base: Readonly<Record<string, string>> = {
    revenue: `=${given("revenue")}`,
    gross_profit: `=${given("revenue")}-${given("cost_of_sales")}`,
    operating_expenses: `=${given("operating_expenses")}-${given("one_off_cost")}`,
    ebitda: `=B${lineRow("gross_profit")}-B${lineRow("operating_expenses")}`,
    depreciation: `=${given("depreciation")}`,
    ebit: `=B${lineRow("ebitda")}-B${lineRow("depreciation")}`,
    net_fixed_assets: `=${given("net_fixed_assets")}`,
    working_capital: `=${given("receivables")}+${given("inventories")}-${given("payables")}`,
  };
  const cells: TypedCell[] = [...rowOf(1, ["line", base_year, ...columns.map((_, n) => base_year + 1 + n)])];
  for (const { name } of modelLines) {
    cells.push([`A${lineRow(name)}`, name]);
    const formula = base[name];
    if (formula !== undefined) cells.push([`B${lineRow(name)}`, formula]);
  }
  for (const [index, column] of columns.entries()) {
    const here = (name: string): string => `${column}${lineRow(name)}`;
    const before = (name: string): string => `${["B", ...columns][index]}${lineRow(name)}`;
    // Four rows for each scenario, below a header.
    const driver = (name: (typeof driverNames)[number]): string =>
      `INDEX($Scenarios.$${column}$2:$${column}$13;(${given("scenario")}-1)*4+${driverNames.indexOf(name) + 1})`;
    const used = index === 0 ? "0" : `SUM($C${lineRow("losses_used")}:${before("losses_used")})`;
    const formulas: Readonly<Record<string, string>> = {
      revenue: `${before("revenue")}*(1+${driver("growth")})`,
      gross_profit: `${here("revenue")}*${driver("gross_margin")}`,
      operating_expenses: `${here("revenue")}*${driver("opex_share")}`,
      ebitda: `${here("gross_profit")}-${here("operating_expenses")}`,
      depreciation: `${given("depreciation_rate")}*${before("net_fixed_assets")}`,
      ebit: `${here("ebitda")}-${here("depreciation")}`,
      losses_used: `MIN(${given("tax_losses")}-${used};${given("loss_limit")}*MAX(0;${here("ebit")}))`,
      tax: `${given("tax_rate")}*(MAX(0;${here("ebit")})-${here("losses_used")})`,
      nopat: `${here("ebit")}-${here("tax")}`,
      capital_expenditure: `${here("revenue")}*${driver("capex_share")}`,
      net_fixed_assets: `${before("net_fixed_assets")}+${here("capital_expenditure")}-${here("depreciation")}`,
      working_capital: `(${here("revenue")}*${given("receivable_days")}+(${here("revenue")}-${here("gross_profit")})*(${given("inventory_days")}-${given("payable_days")}))/365`,
      working_capital_increase: `${here("working_capital")}-${before("working_capital")}`,
      free_cash_flow: `${here("nopat")}+${here("depreciation")}-${here("capital_expenditure")}-${here("working_capital_increase")}`,
      discount_factor: `1/(1+$Summary.$B$${figureRow("wacc")})^(${index + 1}-${timing})`,
      present_value: `${here("free_cash_flow")}*${here("discount_factor")}`,
    };
    for (const { name } of modelLines) cells.push([here(name), `=${formulas[name]}`]);
  }
  return cells;
}

function summaryFormulas(
  given: (name: string) => string,
): Readonly<Record<(typeof summaryNames)[number], string>> {
  const figure = (name: (typeof summaryNames)[number]): string => `$B$${figureRow(name)}`;
  const line = (name: string, column = "G"): string => `$Model.$${column}$${lineRow(name)}`;
  return {
    wacc: `=(1-${given("debt_share")})*(${given("risk_free_rate")}+${given("beta")}*${given("equity_premium")}+${given("size_premium")})+${given("debt_share")}*${given("debt_rate")}*(1-${given("tax_rate")})`,
    terminal_cash_flow: `=${terminalCashFlow(given, given("terminal_growth"))}`,
    terminal_value: `=${figure("terminal_cash_flow")}/(${figure("wacc")}-${given("terminal_growth")})`,
    sum_present_values: `=SUM(${line("present_value", "C")}:${line("present_value")})`,
    terminal_present_value: `=${figure("terminal_value")}*${line("discount_factor")}`,
    enterprise_value: `=${figure("sum_present_values")}+${figure("terminal_present_value")}`,
    net_debt: `=${given("bank_debt")}+${given("lease_liabilities")}+${given("pension_deficit")}-${given("cash")}`,
    equity_value: `=${figure("enterprise_value")}-${figure("net_debt")}-${given("minority_interest")}`,
    diluted_shares: `=${given("shares")}+MAX(0;${given("options")}*(1-${given("strike")}/${given("share_price")}))`,
    value_per_share: `=${figure("equity_value")}/${figure("diluted_shares")}`,
    premium: `=${figure("value_per_share")}/${given("share_price")}-1`,
    ev_to_ebitda: `=${figure("enterprise_value")}/${line("ebitda", "C")}`,
  };
}

/** In terms of year 5 and a growth of its own, so that the table of sensitivities can use it too. */
function terminalCashFlow(given: (name: string) => string, growth: string): string {
  const line = (name: string): string => `$Model.$G$${lineRow(name)}`;
  const [spent, kept] = [line("capital_expenditure"), given("terminal_depreciation")];
  return `((1+${growth})*((${line("ebitda")}-${kept}*${spent})*(1-${given("tax_rate")})+${kept}*${spent}-${spent})-${growth}*${line("working_capital")})`;
}

function sensitivityCells(given: (name: string) => string, { timing }: Params): readonly TypedCell[] {
  const summary = (name: (typeof summaryNames)[number]): string => `$Summary.$B$${figureRow(name)}`;
  const cells: TypedCell[] = [["A1", "wacc"]];
  for (const [index, step] of growthSteps.entries()) {
    cells.push([`${"BCDEF"[index]}1`, `=${given("terminal_growth")}+${step}`]);
  }
  const flows = `$Model.$C$${lineRow("free_cash_flow")}:$G$${lineRow("free_cash_flow")}`;
  for (const [row, step] of waccSteps.entries()) {
    const rate = `$A${row + 2}`;
    cells.push([`A${row + 2}`, `=${summary("wacc")}+${step}`]);
    for (const column of "BCDEF") {
      const growth = `${column}$1`;
      const explicit = `SUMPRODUCT(${flows}/(1+${rate})^(COLUMN(${flows})-2-${timing}))`;
      const terminal = `${terminalCashFlow(given, growth)}/(${rate}-${growth})/(1+${rate})^(5-${timing})`;
      const bridge = `${summary("net_debt")}-${given("minority_interest")}`;
      cells.push([
        `${column}${row + 2}`,
        `=(${explicit}+${terminal}-${bridge})/${summary("diluted_shares")}`,
      ]);
    }
  }
  return cells;
}
