import { type InputName, scenarioNames, type ValuationInputs } from "../valuation/valuation-inputs.ts";

/** What the partners might type in: numbers that the papers nowhere name, each moved by another share. */
const capital: readonly InputName[] = [
  "terminal_growth",
  "terminal_depreciation",
  "risk_free_rate",
  "beta",
  "equity_premium",
  "size_premium",
  "debt_rate",
  "debt_share",
  "shares",
  "options",
  "cash",
  "bank_debt",
  "lease_liabilities",
  "pension_deficit",
  "minority_interest",
];

const operations: readonly InputName[] = [
  "revenue",
  "cost_of_sales",
  "operating_expenses",
  "one_off_cost",
  "depreciation",
  "net_fixed_assets",
  "receivables",
  "inventories",
  "payables",
  "tax_rate",
  "loss_limit",
  "depreciation_rate",
  "receivable_days",
  "inventory_days",
  "payable_days",
];

/** Another cost of capital and bridge; the options are out of the money. */
export function changeCapital(inputs: ValuationInputs): ValuationInputs {
  const moved = move(inputs, capital);
  return { ...moved, values: { ...moved.values, strike: moved.values.share_price * 1.25 } };
}

/** Other operations: a year of loss, and losses brought forward that outlast the five years. */
export function changeOperations(inputs: ValuationInputs): ValuationInputs {
  const moved = move(inputs, operations);
  const name = scenarioNames[inputs.scenario - 1] ?? "base";
  const drivers = moved.scenarios[name];
  return {
    ...moved,
    values: { ...moved.values, tax_losses: inputs.values.revenue * 2 },
    scenarios: {
      ...moved.scenarios,
      [name]: {
        growth: drivers.growth.map((value, year) => value + 0.003 * (year + 1)),
        gross_margin: drivers.gross_margin.map((value, year) => (year === 1 ? value / 4 : value + 0.004)),
        opex_share: drivers.opex_share.map((value, year) => value - 0.002 * year),
        capex_share: drivers.capex_share.map((value, year) => value + 0.001 * (year + 1)),
      },
    },
  };
}

function move(inputs: ValuationInputs, names: readonly InputName[]): ValuationInputs {
  const moved = names.map((name, index) => [name, inputs.values[name] * (1 + 0.013 * ((index % 7) + 1))]);
  return { ...inputs, values: { ...inputs.values, ...Object.fromEntries(moved) } };
}
