import { relative } from "node:path";
import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { ResultRow } from "../../record/result-row.ts";
import { describeBypass } from "../channel-bypass.ts";
import type { ContestantSummary } from "../summarise-run.ts";
import { type Html, html, raw } from "./html.ts";
import { intervalBar } from "./interval-bar.ts";
import { reportStyle } from "./report-style.ts";

export interface ReportInput {
  readonly plan: ExamPlan;
  /** Links in the report are relative to it. */
  readonly dir: string;
  readonly contestants: readonly ContestantSummary[];
  /** Every finished attempt. */
  readonly rows: readonly ResultRow[];
}

/** A run as one HTML file that opens from disk: contestants, every instance by contestant, every attempt. */
export function renderReport(input: ReportInput): string {
  const { plan } = input;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plan.exam}</title><style>${raw(reportStyle)}</style></head><body>
<h1>${plan.exam}</h1>
<p class="soft">${new Date(plan.createdAt).toISOString()} · ${plan.contestants.length} contestants · ${plan.trials.length} trials · scoring policy ${plan.scoring.name}</p>
<h2>Contestants</h2>${contestantTable(input.contestants)}
<h2>Instances</h2>${instanceTable(input)}
<h2>Attempts</h2>${attemptTable(input)}
</body></html>
`;
  return page.html;
}

function contestantTable(contestants: readonly ContestantSummary[]): Html {
  const asked = contestants.some((row) => row.bypass.asked > 0);
  const estimand = contestants[0]?.fullPass.estimandIs ?? "";
  return html`<p class="soft">Two scores that never mix, each with its 95% interval: ${estimand}.</p>
<div class="scroll"><table><thead><tr><th>contestant</th><th class="number">full passes</th><th class="number">rate</th><th></th><th class="number">mean</th><th></th><th class="number">cost</th><th class="number">missing</th>${asked ? html`<th class="number">bypassed</th>` : ""}</tr></thead><tbody>
${contestants.map(
  (
    row,
  ) => html`<tr><td>${row.contestant}</td><td class="number">${row.fullPass.passes} of ${row.fullPass.n}</td>
<td class="number">${percent(row.fullPass.rate)}${interval(row.fullPass)}</td><td>${intervalBar(row.fullPass.rate, row.fullPass.low, row.fullPass.high)}</td>
<td class="number">${row.mean.value === null ? "–" : row.mean.value.toFixed(3)}${meanInterval(row.mean)}</td><td>${intervalBar(row.mean.value, row.mean.low, row.mean.high)}</td>
<td class="number">${row.costUsd === null ? "unknown" : `$${row.costUsd.toFixed(2)}`}</td><td class="number">${row.missing}</td>${asked ? html`<td class="number">${describeBypass(row.bypass)}</td>` : ""}</tr>`,
)}</tbody></table></div>
${asked ? html`<p class="soft">Bypassed: trials that did not work through the channel their task requires. It changes no score.</p>` : ""}`;
}

function instanceTable({ plan, dir, rows }: ReportInput): Html {
  const instances = [...new Set(plan.trials.map((trial) => trial.instance))].sort();
  const names = plan.contestants.map((contestant) => contestant.name);
  const last = new Map(rows.map((row) => [row.trial, row]));
  const cell = (instance: string, contestant: string): Html => {
    const trials = plan.trials.filter(
      (trial) => trial.instance === instance && trial.contestant === contestant,
    );
    return html`<td class="number">${trials.map((trial) => html`${scoreLink(last.get(trial.id), dir)} `)}</td>`;
  };
  return html`<p class="soft">Score of each repeat's last attempt; it links to the record.</p>
<div class="scroll"><table><thead><tr><th>instance</th>${names.map((name) => html`<th class="number">${name}</th>`)}</tr></thead><tbody>
${instances.map((instance) => html`<tr><td>${instance}</td>${names.map((name) => cell(instance, name))}</tr>`)}
</tbody></table></div>`;
}

function scoreLink(row: ResultRow | undefined, dir: string): Html {
  if (row === undefined) return html`<span class="none">not run</span>`;
  const text = row.score === null ? row.status : row.score.toFixed(3);
  const kind = row.score === null ? "none" : row.score === 1 ? "pass" : row.score > 0 ? "part" : "fail";
  return html`<a class="${kind}" href="${relative(dir, row.dir)}/">${text}</a>`;
}

function attemptTable({ dir, rows }: ReportInput): Html {
  return html`<div class="scroll"><table><thead><tr><th>trial</th><th class="number">attempt</th><th>status</th><th class="number">score</th><th class="number">seconds</th><th>channels</th><th>reason</th></tr></thead><tbody>
${rows.map(
  (row) => html`<tr><td>${row.trial}</td><td class="number">${row.attempt}</td><td>${row.status}</td>
<td class="number">${scoreLink(row, dir)}</td><td class="number">${(row.wallMs / 1000).toFixed(1)}</td><td>${channels(row)}</td><td>${row.reason}</td></tr>`,
)}</tbody></table></div>`;
}

/** Shares of calls, largest first, and whether the required channel was bypassed. */
function channels({ channelShares, bypassed }: ResultRow): Html {
  const shares = Object.entries(channelShares ?? {})
    .filter(([, share]) => share > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, share]) => `${name} ${Math.round(share * 100)}%`);
  return html`<span class="soft">${shares.join(", ")}</span>${bypassed === true ? html` <b class="none">bypassed</b>` : ""}`;
}

function percent(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(1)}%`;
}

function interval({ low, high }: { readonly low: number | null; readonly high: number | null }): Html {
  if (low === null || high === null) return html``;
  return html` <span class="soft">[${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]</span>`;
}

function meanInterval({ low, high }: { readonly low: number | null; readonly high: number | null }): Html {
  if (low === null || high === null) return html``;
  return html` <span class="soft">[${low.toFixed(3)}, ${high.toFixed(3)}]</span>`;
}
