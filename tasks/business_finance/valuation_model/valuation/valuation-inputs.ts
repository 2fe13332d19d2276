/** Items of the base year's accounts, in thousands. */
export const accountNames = [
  "revenue",
  "cost_of_sales",
  "operating_expenses",
  "depreciation",
  "net_fixed_assets",
  "receivables",
  "inventories",
  "payables",
  "cash",
  "bank_debt",
  "lease_liabilities",
  "pension_deficit",
  "minority_interest",
] as const;

export const assumptionNames = [
  "one_off_cost",
  "tax_rate",
  "tax_losses",
  "loss_limit",
  "depreciation_rate",
  "receivable_days",
  "inventory_days",
  "payable_days",
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
  "strike",
  "share_price",
] as const;

export const scenarioNames = ["base", "upside", "downside"] as const;
export const driverNames = ["growth", "gross_margin", "opex_share", "capex_share"] as const;
export const forecastYears = 5;

export type InputName = (typeof accountNames)[number] | (typeof assumptionNames)[number];
export type ScenarioName = (typeof scenarioNames)[number];
export type DriverName = (typeof driverNames)[number];
export type Drivers = Readonly<Record<DriverName, readonly number[]>>;

/** All that a valuation is made of. */
export interface ValuationInputs {
  /** 1 base, 2 upside, 3 downside. */
  readonly scenario: number;
  readonly values: Readonly<Record<InputName, number>>;
  /** By driver, a number for each forecast year. */
  readonly scenarios: Readonly<Record<ScenarioName, Drivers>>;
}

export const inputNames: readonly InputName[] = [...assumptionNames, ...accountNames];
