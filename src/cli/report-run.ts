import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { nullable } from "../board/nullable.ts";
import { renderReport } from "../board/report/render-report.ts";
import { type ContestantSummary, summariseRun } from "../board/summarise-run.ts";
import { known, type Maybe, unknown } from "../contract/absence.ts";
import { isRetryable, trialStatuses } from "../contract/trial-status.ts";
import type { ExamSummary } from "../exam/conduct/exam-progress.ts";
import { resultRow } from "../record/result-row.ts";
import type { AttemptRecord, RunRecord } from "../record/run-record.ts";
import type { CliContext } from "./cli-context.ts";
import { friendlyPath } from "./friendly-path.ts";
import { isSitting } from "./is-sitting.ts";
import { printJson } from "./output/print-json.ts";
import { summaryTable } from "./output/summary-table.ts";

/** Writes the run's report, prints what it came to, and sets the exit status: 1 when a trial could not be run. */
export async function reportRun(
  context: CliContext,
  run: RunRecord,
  summary: ExamSummary,
  json: boolean,
): Promise<void> {
  const attempts = await run.attempts();
  const summaries = summariseRun(attempts, run.plan.scoring, { planned: run.plan.trials });
  const names = run.plan.contestants.map((contestant) => contestant.name);
  const contestants = summaries.toSorted((a, b) => names.indexOf(a.contestant) - names.indexOf(b.contestant));
  const rows = attempts.flatMap((attempt) => resultRow(attempt) ?? []);
  const report = join(run.dir, "report.html");
  await writeFile(report, renderReport({ plan: run.plan, dir: run.dir, contestants, rows }));

  const unrun = trialStatuses.some(
    (status) => (isRetryable(status) || status === "cancelled") && summary.statuses[status] !== undefined,
  );
  if (unrun || summary.finished < summary.planned) context.setExitStatus(1);
  if (json) {
    const { planned, finished, statuses, end } = summary;
    const { exam, scoring } = run.plan;
    printJson(
      {
        exam,
        dir: run.dir,
        planned,
        finished,
        end,
        statuses,
        ...nullable("costUsd", spent(attempts, summary.costUsd)),
        policy: scoring.name,
        contestants,
        report,
      },
      context.out,
    );
    return;
  }
  context.out.write(`\n${outcomeText(run, summary, contestants)}`);
  context.out.write(
    `\nreport   ${friendlyPath(report, context.cwd)}\nrecord   ${friendlyPath(run.dir, context.cwd)}\n`,
  );
  if (summary.end !== "finished") context.out.write(`${onwardText(run, context.cwd)}\n`);
}

/** What can be done about an exam that was stopped. */
function onwardText({ dir, plan }: RunRecord, cwd: string): string {
  if (!isSitting(plan)) return `resume   npx ale run --resume ${friendlyPath(dir, cwd)}`;
  return `again    npx ale sit ${plan.trials[0]?.instance ?? "<instance>"}; this sitting cannot be resumed`;
}

/** Cost of all finished attempts in US dollars: what is known of it, where that is the whole. */
function spent(attempts: readonly AttemptRecord[], knownUsd: number): Maybe<number> {
  const reasons = attempts.flatMap(({ result }) =>
    result === undefined || result.costUsd.known ? [] : [result.costUsd.reason],
  );
  if (reasons[0] === undefined) return known(knownUsd);
  return unknown(`unknown for ${reasons.length} attempts: ${reasons[0]}`);
}

function outcomeText(
  run: RunRecord,
  summary: ExamSummary,
  contestants: readonly ContestantSummary[],
): string {
  const statuses = Object.entries(summary.statuses).map(([status, count]) => `${count} ${status}`);
  const head = `${basename(run.dir)}: ${summary.finished} of ${summary.planned} trials (${statuses.join(", ") || "none"})\n\n`;
  const clusters = contestants[0]?.fullPass.estimandIs;
  const note =
    clusters === undefined ? "" : `\n95% intervals; ${clusters}; scoring policy ${run.plan.scoring.name}\n`;
  const reasons = contestants.flatMap((row) => row.fullPass.lowReason ?? row.mean.lowReason ?? []);
  const missing = reasons[0] === undefined ? "" : `no interval: ${reasons[0]}\n`;
  return `${head}${summaryTable(contestants)}${note}${missing}`;
}
