import { createRandom } from "ale/contract/random";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftCompany } from "../generate/draft-company.ts";
import { changeOperations } from "../grade/change-inputs.ts";
import type { Params } from "../params.ts";
import { scenarioNames, type ValuationInputs } from "./valuation-inputs.ts";
import { valueCompany } from "./value-company.ts";

const params: Params = {
  company: "A",
  currency: "EUR",
  base_year: 2025,
  scenario: 1,
  timing: 0.5,
  revenue: 90_000,
  margin: 0.45,
};
const company = draftCompany(params, createRandom(3));

/** A company whose every figure can be worked out in the head. */
const plain: ValuationInputs = {
  scenario: 1,
  scenarios: Object.fromEntries(
    scenarioNames.map((name) => [
      name,
      {
        growth: [0, 0, 0, 0, 0],
        gross_margin: [0.5, 0.5, 0.5, 0.5, 0.5],
        opex_share: [0.3, 0.3, 0.3, 0.3, 0.3],
        capex_share: [0.1, 0.1, 0.1, 0.1, 0.1],
      },
    ]),
  ) as unknown as ValuationInputs["scenarios"],
  values: {
    ...company.values,
    revenue: 1000,
    cost_of_sales: 500,
    operating_expenses: 300,
    one_off_cost: 0,
    depreciation: 100,
    net_fixed_assets: 1000,
    depreciation_rate: 0.1,
    receivables: 0,
    inventories: 0,
    payables: 0,
    receivable_days: 0,
    inventory_days: 0,
    payable_days: 0,
    tax_rate: 0.5,
    tax_losses: 0,
    loss_limit: 1,
    terminal_growth: 0,
    terminal_depreciation: 1,
    risk_free_rate: 0.1,
    beta: 0,
    equity_premium: 0,
    size_premium: 0,
    debt_rate: 0,
    debt_share: 0,
    cash: 0,
    bank_debt: 100,
    lease_liabilities: 0,
    pension_deficit: 0,
    minority_interest: 0,
    shares: 40,
    options: 20,
    strike: 5,
    share_price: 10,
  },
};

describe("the value of a company", () => {
  test("a company that stands still is worth its cash flow over the rate", () => {
    // EBIT 100, taxed by half, capital expenditure as much as depreciation: 50 a year for ever at 10 % is 500.
    const { summary, lines } = valueCompany(plain, 0);
    expect(lines.free_cash_flow.slice(1)).toEqual([50, 50, 50, 50, 50]);
    expect(summary.enterprise_value).toBeCloseTo(500, 9);
    expect(summary).toMatchObject({
      equity_value: expect.closeTo(400, 9),
      diluted_shares: 50,
      value_per_share: expect.closeTo(8, 9),
    });
    expect(summary.premium).toBeCloseTo(-0.2, 9);
    expect(summary.ev_to_ebitda).toBeCloseTo(2.5, 9);
  });

  test("cash half a year earlier is worth half a year's rate more", () => {
    const [end, middle] = [0, 0.5].map((timing) => valueCompany(plain, timing).summary.enterprise_value);
    expect((middle ?? 0) / (end ?? 1)).toBeCloseTo(Math.sqrt(1.1), 9);
  });

  test("losses brought forward are never used twice, nor beyond the limit, nor in a year of loss", () => {
    const losses = fc.integer({ min: 0, max: 30_000 });
    const limit = fc.constantFrom(0.4, 0.7, 1);
    fc.assert(
      fc.property(losses, limit, fc.constantFrom(1, 2, 3), (tax_losses, loss_limit, scenario) => {
        for (const start of [company, changeOperations({ ...company, scenario })]) {
          const { lines } = valueCompany(
            { ...start, scenario, values: { ...start.values, tax_losses, loss_limit } },
            0.5,
          );
          const used = lines.losses_used.slice(1) as number[];
          expect(used.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(tax_losses + 1e-6);
          for (const [year, value] of used.entries()) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(loss_limit * Math.max(0, lines.ebit[year + 1] ?? 0) + 1e-6);
          }
        }
      }),
    );
  });

  test("the middle of the table of sensitivities is the value itself; a higher rate is worth less", () => {
    const { sensitivity, summary } = valueCompany(company, 0.5);
    expect(sensitivity[2]?.[2]).toBeCloseTo(summary.value_per_share, 9);
    const column = sensitivity.map((row) => row[2] ?? 0);
    expect(column).toEqual([...column].sort((a, b) => b - a));
  });
});
