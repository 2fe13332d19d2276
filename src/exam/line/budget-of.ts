import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Allowance, BudgetView } from "../../desktop/mcp/budget-view.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";

/** How long a trial has run, in milliseconds. */
export interface TimesSpent {
  readonly wallMs: number;
  readonly workingMs: number;
}

/** A contestant's time and budget from what was measured. */
export function budgetOf(limits: Limits, times: TimesSpent, meter: TrialMeter | undefined): BudgetView {
  const unmetered = unknown("its model calls are not metered");
  const { usage } = meter ?? {};
  const seconds = (minutes: number | undefined): number | undefined =>
    minutes === undefined ? undefined : minutes * 60;
  return {
    wallSeconds: allowance(known(times.wallMs / 1000), seconds(limits.wall_minutes)),
    workingSeconds: allowance(known(times.workingMs / 1000), seconds(limits.working_minutes)),
    tokens: allowance(usage === undefined ? unmetered : known(usage.input + usage.output), limits.tokens),
    costUsd: allowance(meter === undefined ? unmetered : meter.costUsd, limits.cost_usd),
    calls: allowance(usage === undefined ? unmetered : known(usage.calls), limits.calls),
  };
}

function allowance(used: Maybe<number>, limit: number | undefined): Allowance {
  return limit === undefined ? { used } : { used, limit };
}
