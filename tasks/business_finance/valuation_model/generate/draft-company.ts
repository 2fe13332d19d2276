import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import { type Drivers, forecastYears, type ValuationInputs } from "../valuation/valuation-inputs.ts";

type Random = GenerateContext<Params>["random"];

/** A company that could be: margins, days and rates within what its peers have. */
export function draftCompany({ revenue: size, margin, scenario }: Params, random: Random): ValuationInputs {
  const between = (low: number, high: number, step: number): number =>
    tidy(low + step * random.integer(0, Math.round((high - low) / step)));
  const revenue = Math.round(size * between(0.95, 1.05, 0.001));
  const share = (low: number, high: number): number => Math.round(revenue * between(low, high, 0.0005));
  const cost_of_sales = Math.round(revenue * (1 - margin + between(-0.01, 0.01, 0.0005)));
  const one_off_cost = share(0.008, 0.02);
  const opex = margin - between(0.16, 0.2, 0.002);
  const operating_expenses = Math.round(revenue * opex) + one_off_cost;
  const net_fixed_assets = share(0.32, 0.45);
  const depreciation_rate = between(0.1, 0.14, 0.005);
  const shares = share(0.11, 0.16);
  const ebitda = revenue - cost_of_sales - operating_expenses + one_off_cost;
  const share_price = tidy(Math.round((ebitda * between(6.5, 8.5, 0.1) * 100) / shares) / 100);
  const capex = between(0.045, 0.06, 0.0025);
  const growth = between(0.04, 0.07, 0.0025);
  const drift = (start: number, step: number): number[] =>
    Array.from({ length: forecastYears }, (_, index) => tidy(start + step * index));
  const drivers = (lift: number, gain: number, spend: number): Drivers => ({
    growth: drift(tidy(growth + lift), lift > 0 ? -0.0075 : -0.005),
    gross_margin: drift(tidy(margin + gain), gain / 2),
    opex_share: drift(tidy(opex - gain / 2), -0.001),
    capex_share: drift(tidy(capex + spend), -0.0025),
  });
  return {
    scenario,
    scenarios: {
      base: drivers(0, 0.002, 0),
      upside: drivers(between(0.02, 0.03, 0.0025), between(0.006, 0.01, 0.001), 0.0075),
      // Deep enough that losses run out in another year than in the others.
      downside: drivers(-between(0.04, 0.06, 0.0025), -between(0.012, 0.018, 0.001), -0.005),
    },
    values: {
      revenue,
      cost_of_sales,
      operating_expenses,
      depreciation: Math.round(net_fixed_assets * depreciation_rate * between(0.94, 1.02, 0.005)),
      net_fixed_assets,
      receivables: share(0.13, 0.19),
      inventories: share(0.08, 0.14),
      payables: share(0.07, 0.11),
      cash: share(0.05, 0.1),
      bank_debt: share(0.16, 0.28),
      lease_liabilities: share(0.03, 0.06),
      pension_deficit: share(0.01, 0.03),
      minority_interest: share(0.005, 0.015),
      one_off_cost,
      tax_rate: between(0.2, 0.28, 0.005),
      tax_losses: share(0.1, 0.16),
      loss_limit: random.pick([0.6, 0.7, 0.8]),
      depreciation_rate,
      receivable_days: between(48, 66, 1),
      inventory_days: between(55, 95, 1),
      payable_days: between(38, 60, 1),
      terminal_growth: between(0.015, 0.0225, 0.0025),
      terminal_depreciation: between(0.86, 0.96, 0.02),
      risk_free_rate: between(0.024, 0.034, 0.001),
      beta: between(0.95, 1.3, 0.05),
      equity_premium: between(0.05, 0.06, 0.0025),
      size_premium: between(0.01, 0.018, 0.002),
      debt_rate: between(0.045, 0.06, 0.0025),
      debt_share: between(0.15, 0.3, 0.05),
      shares,
      options: Math.round(shares * between(0.03, 0.06, 0.005)),
      strike: tidy(Math.round(share_price * between(0.7, 0.9, 0.01) * 100) / 100),
      share_price,
    },
  };
}

/** Without the dust of binary fractions, so that files show what is meant. */
function tidy(value: number): number {
  return Number(value.toFixed(6));
}
