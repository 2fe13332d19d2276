import type { JsonValue } from "../../contract/json-value.ts";
import type { Allowance, BudgetView } from "./budget-view.ts";

interface BudgetLine {
  readonly key: string;
  readonly title: string;
  readonly allowance: Allowance;
  readonly format: (value: number) => string;
}

/** The budget in words for a model, a line for each kind. */
export function describeBudget(view: BudgetView): string {
  return lines(view)
    .map(({ title, allowance: { used, limit }, format }) => {
      const spent = used.known ? `${format(used.value)} used` : `use unknown (${used.reason})`;
      if (limit === undefined) return `${title}: ${spent}, no limit.`;
      if (!used.known) return `${title}: ${spent}, limit ${format(limit)}.`;
      return `${title}: ${format(Math.max(0, limit - used.value))} left of ${format(limit)}, ${spent}.`;
    })
    .join("\n");
}

/** The same as data: `{wall_seconds: {used, limit, left}, …}`; what is unknown or unlimited is `null`. */
export function budgetData(view: BudgetView): { readonly [key: string]: JsonValue } {
  return Object.fromEntries(
    lines(view).map(({ key, allowance: { used, limit } }) => {
      const spent = used.known ? used.value : null;
      const left = limit === undefined || spent === null ? null : Math.max(0, limit - spent);
      return [key, { used: spent, limit: limit ?? null, left }];
    }),
  );
}

function lines(view: BudgetView): readonly BudgetLine[] {
  return [
    { key: "wall_seconds", title: "Time", allowance: view.wallSeconds, format: duration },
    { key: "working_seconds", title: "Working time", allowance: view.workingSeconds, format: duration },
    { key: "tokens", title: "Tokens", allowance: view.tokens, format: count },
    { key: "cost_usd", title: "Cost", allowance: view.costUsd, format: (usd) => `$${usd.toFixed(4)}` },
    { key: "calls", title: "Model calls", allowance: view.calls, format: count },
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function duration(value: number): string {
  const seconds = Math.max(0, Math.floor(value));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
