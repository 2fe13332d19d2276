import { forecastYears, scenarioNames, type ValuationInputs } from "./valuation-inputs.ts";

/** The lines of the sheet Model; those of `base` have a figure for the base year as well. */
export const modelLines = [
  { name: "revenue", base: true },
  { name: "gross_profit", base: true },
  { name: "operating_expenses", base: true },
  { name: "ebitda", base: true },
  { name: "depreciation", base: true },
  { name: "ebit", base: true },
  { name: "losses_used", base: false },
  { name: "tax", base: false },
  { name: "nopat", base: false },
  { name: "capital_expenditure", base: false },
  { name: "net_fixed_assets", base: true },
  { name: "working_capital", base: true },
  { name: "working_capital_increase", base: false },
  { name: "free_cash_flow", base: false },
  { name: "discount_factor", base: false },
  { name: "present_value", base: false },
] as const;

export const summaryNames = [
  "wacc",
  "terminal_cash_flow",
  "terminal_value",
  "sum_present_values",
  "terminal_present_value",
  "enterprise_value",
  "net_debt",
  "equity_value",
  "diluted_shares",
  "value_per_share",
  "premium",
  "ev_to_ebitda",
] as const;

export type LineName = (typeof modelLines)[number]["name"];
export type SummaryName = (typeof summaryNames)[number];

/** Steps of the table of sensitivities, in rows and in columns. */
export const waccSteps: readonly number[] = [-0.01, -0.005, 0, 0.005, 0.01];
export const growthSteps: readonly number[] = [-0.005, -0.0025, 0, 0.0025, 0.005];

export interface Valuation {
  /** The base year and the forecasts; `undefined` where the base year has no figure. */
  readonly lines: Readonly<Record<LineName, readonly (number | undefined)[]>>;
  readonly summary: Readonly<Record<SummaryName, number>>;
  /** Value of a share by steps of wacc (rows) and of terminal growth (columns). */
  readonly sensitivity: readonly (readonly number[])[];
}

/** A year's figures, by line. */
type Year = Readonly<Record<LineName, number>>;

/** The valuation by the rules of the instruction. @param timing years by which a year's cash comes before its end. */
export function valueCompany(inputs: ValuationInputs, timing: number): Valuation {
  const { values: given } = inputs;
  const wacc =
    (1 - given.debt_share) * (given.risk_free_rate + given.beta * given.equity_premium + given.size_premium) +
    given.debt_share * given.debt_rate * (1 - given.tax_rate);
  const years = forecast(inputs, wacc, timing);
  const net_debt = given.bank_debt + given.lease_liabilities + given.pension_deficit - given.cash;
  const diluted_shares = given.shares + Math.max(0, given.options * (1 - given.strike / given.share_price));
  const flows = years.slice(1).map((year) => year.free_cash_flow);
  const last = years[forecastYears] as Year;

  function worth(rate: number, growth: number) {
    const terminal_cash_flow = terminalCashFlow(inputs, last, growth);
    const terminal_value = terminal_cash_flow / (rate - growth);
    const sum_present_values = flows.reduce(
      (sum, flow, index) => sum + flow / (1 + rate) ** (index + 1 - timing),
      0,
    );
    const terminal_present_value = terminal_value / (1 + rate) ** (forecastYears - timing);
    const enterprise_value = sum_present_values + terminal_present_value;
    const equity_value = enterprise_value - net_debt - given.minority_interest;
    const value_per_share = equity_value / diluted_shares;
    return {
      terminal_cash_flow,
      terminal_value,
      sum_present_values,
      terminal_present_value,
      enterprise_value,
      equity_value,
      value_per_share,
    };
  }

  const found = worth(wacc, given.terminal_growth);
  return {
    lines: Object.fromEntries(
      modelLines.map(({ name, base }) => [
        name,
        years.map((year, index) => (index === 0 && !base ? undefined : year[name])),
      ]),
    ) as unknown as Valuation["lines"],
    summary: {
      ...found,
      wacc,
      net_debt,
      diluted_shares,
      premium: found.value_per_share / given.share_price - 1,
      ev_to_ebitda: found.enterprise_value / (years[1] as Year).ebitda,
    },
    sensitivity: waccSteps.map((step) =>
      growthSteps.map((growth) => worth(wacc + step, given.terminal_growth + growth).value_per_share),
    ),
  };
}

function forecast(inputs: ValuationInputs, wacc: number, timing: number): readonly Year[] {
  const { values: given, scenarios, scenario } = inputs;
  const drivers = scenarios[scenarioNames[scenario - 1] ?? "base"];
  const years: Year[] = [baseYear(inputs)];
  let losses = given.tax_losses;
  for (let n = 1; n <= forecastYears; n++) {
    const before = years[n - 1] as Year;
    const at = (name: keyof typeof drivers): number => drivers[name][n - 1] as number;
    const revenue = before.revenue * (1 + at("growth"));
    const gross_profit = revenue * at("gross_margin");
    const operating_expenses = revenue * at("opex_share");
    const ebitda = gross_profit - operating_expenses;
    const depreciation = given.depreciation_rate * before.net_fixed_assets;
    const ebit = ebitda - depreciation;
    const losses_used = Math.min(losses, given.loss_limit * Math.max(0, ebit));
    losses -= losses_used;
    const tax = given.tax_rate * (Math.max(0, ebit) - losses_used);
    const nopat = ebit - tax;
    const capital_expenditure = revenue * at("capex_share");
    const net_fixed_assets = before.net_fixed_assets + capital_expenditure - depreciation;
    const working_capital =
      (revenue * given.receivable_days +
        (revenue - gross_profit) * (given.inventory_days - given.payable_days)) /
      365;
    const working_capital_increase = working_capital - before.working_capital;
    const free_cash_flow = nopat + depreciation - capital_expenditure - working_capital_increase;
    const discount_factor = 1 / (1 + wacc) ** (n - timing);
    years.push({
      revenue,
      gross_profit,
      operating_expenses,
      ebitda,
      depreciation,
      ebit,
      losses_used,
      tax,
      nopat,
      capital_expenditure,
      net_fixed_assets,
      working_capital,
      working_capital_increase,
      free_cash_flow,
      discount_factor,
      present_value: free_cash_flow * discount_factor,
    });
  }
  return years;
}

function baseYear({ values: given }: ValuationInputs): Year {
  const gross_profit = given.revenue - given.cost_of_sales;
  const operating_expenses = given.operating_expenses - given.one_off_cost;
  const ebitda = gross_profit - operating_expenses;
  return {
    revenue: given.revenue,
    gross_profit,
    operating_expenses,
    ebitda,
    depreciation: given.depreciation,
    ebit: ebitda - given.depreciation,
    net_fixed_assets: given.net_fixed_assets,
    working_capital: given.receivables + given.inventories - given.payables,
    losses_used: 0,
    tax: 0,
    nopat: 0,
    capital_expenditure: 0,
    working_capital_increase: 0,
    free_cash_flow: 0,
    discount_factor: 1,
    present_value: 0,
  };
}

function terminalCashFlow({ values: given }: ValuationInputs, last: Year, growth: number): number {
  const ebitda = last.ebitda * (1 + growth);
  const spent = last.capital_expenditure * (1 + growth);
  const depreciation = given.terminal_depreciation * spent;
  const nopat = (ebitda - depreciation) * (1 - given.tax_rate);
  return nopat + depreciation - spent - last.working_capital * growth;
}
