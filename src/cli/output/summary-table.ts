import { describeBypass } from "../../board/channel-bypass.ts";
import type { ContestantSummary } from "../../board/summarise-run.ts";
import { formatDollars, formatPercent } from "./format-number.ts";
import { textTable } from "./text-table.ts";

/** Contestants with both scores, each with its interval, and what they cost. The lanes stand apart, unranked. */
export function summaryTable(contestants: readonly ContestantSummary[]): string {
  return textTable<ContestantSummary>(
    [
      { title: "contestant", cell: (row) => row.contestant },
      { title: "full pass", align: "right", cell: (row) => `${row.fullPass.passes}/${row.fullPass.n}` },
      { title: "rate", align: "right", cell: (row) => share(row.fullPass.rate) },
      { title: "95%", cell: (row) => interval(row.fullPass, percentage) },
      { title: "mean", align: "right", cell: (row) => score(row.mean.value) },
      { title: "95%", cell: (row) => interval(row.mean, decimal) },
      {
        title: "cost",
        align: "right",
        cell: (row) => (row.costUsd === null ? "unknown" : formatDollars(row.costUsd)),
      },
      { title: "missing", align: "right", cell: (row) => String(row.missing) },
      ...(contestants.some((row) => row.bypass.asked > 0)
        ? [{ title: "bypassed", cell: (row: ContestantSummary) => describeBypass(row.bypass) }]
        : []),
    ],
    contestants,
  );
}

function share(value: number | null): string {
  return value === null ? "–" : formatPercent(value);
}

function score(value: number | null): string {
  return value === null ? "–" : value.toFixed(3);
}

function interval(
  { low, high }: { readonly low: number | null; readonly high: number | null },
  format: (value: number) => string,
): string {
  return low === null || high === null ? "none" : `[${format(low)}, ${format(high)}]`;
}

function percentage(value: number): string {
  return (value * 100).toFixed(1);
}

function decimal(value: number): string {
  return value.toFixed(3);
}
