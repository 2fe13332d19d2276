import type { Limits } from "../../contract/limits.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { minutesToMs } from "../minutes-to-ms.ts";
import type { TrialContext } from "./trial-context.ts";
import type { WorkingClock } from "./working-clock.ts";

/** What an agent can read of its remaining time and budget, in `ALE_BUDGET_FILE`. Absent = no such limit. */
export interface BudgetFile {
  /** ISO 8601, of this writing. */
  readonly updated_at: string;
  /** ISO 8601; the same as `ALE_DEADLINE`. */
  readonly deadline?: string;
  readonly remaining_seconds?: number;
  readonly remaining_working_seconds?: number;
  readonly limits: Limits;
  /** Of models, so far; absent where calls are not metered, the cost also where a price is not known. */
  readonly used?: { readonly calls: number; readonly tokens: number; readonly cost_usd?: number };
}

interface BudgetTimes {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly deadline: number | undefined;
  readonly workingMs: number;
}

function budgetFile(limits: Limits, times: BudgetTimes, meter: TrialMeter | undefined): BudgetFile {
  const { now, deadline, workingMs } = times;
  const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));
  const working = limits.working_minutes;
  return {
    updated_at: new Date(now).toISOString(),
    ...(deadline === undefined
      ? {}
      : { deadline: new Date(deadline).toISOString(), remaining_seconds: seconds(deadline - now) }),
    ...(working === undefined
      ? {}
      : { remaining_working_seconds: seconds(minutesToMs(working) - workingMs) }),
    limits,
    ...(meter === undefined ? {} : { used: usedOf(meter) }),
  };
}

function usedOf({ usage, costUsd }: TrialMeter): BudgetFile["used"] & object {
  const { calls, input, output } = usage;
  return { calls, tokens: input + output, ...(costUsd.known ? { cost_usd: costUsd.value } : {}) };
}

/** What the budget file is written from, until `stop` is aborted. */
export interface BudgetSources {
  /** Milliseconds since the Unix epoch. */
  readonly deadline: number | undefined;
  readonly working: WorkingClock;
  readonly meter: () => TrialMeter | undefined;
  readonly stop: AbortSignal;
}

/** Writes the budget file once, then again at intervals until stopped. A failed rewrite is noted once. */
export async function keepBudgetFile(
  context: TrialContext,
  sandbox: Sandbox,
  { deadline, working, meter, stop }: BudgetSources,
): Promise<void> {
  const { clock, limits, options, writer } = context;
  const write = (): Promise<void> => {
    const times = { now: clock.now(), deadline, workingMs: working.elapsedMs() };
    const text = `${JSON.stringify(budgetFile(limits, times, meter()), null, 2)}\n`;
    return sandbox.writeFile(sandboxLayout.budgetFile, text, { mode: 0o644, owner: "root" });
  };
  await write();
  const keeping = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(options.budgetRefreshMs, stop);
      await write();
    }
  };
  keeping().catch((error: unknown) => {
    if (stop.aborted) return;
    writer.append({ type: "note", code: "budget-file-stale", message: String(error) });
  });
}
