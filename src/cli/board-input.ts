import type { Command } from "commander";
import { type BoardEntry, type BoardRun, boardEntries } from "../board/board-entry.ts";
import { filterInstances, type TaskFacts, type TaskFilter, taskFacts } from "../board/task-facts.ts";
import { AleError } from "../contract/ale-error.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import { openRun } from "../record/open-run.ts";
import { readIndexedAttempts } from "../record/run-index.ts";
import type { CliContext } from "./cli-context.ts";
import { collectOption } from "./commands/collect-option.ts";
import { defaultRunsDir, findRun } from "./find-run.ts";
import { printFindings } from "./output/print-findings.ts";
import { packagesOfRuns } from "./packages-of-runs.ts";

/** Options of every command that reads a board's runs. */
export interface BoardInputOptions extends TaskFilter {
  readonly runsDir: string;
}

/** What boards are made of. */
export interface BoardInput {
  readonly runs: readonly BoardRun[];
  readonly entries: readonly BoardEntry[];
  readonly policy: ScoringPolicy;
}

/** Adds the argument and options of {@link BoardInputOptions}. */
export function withBoardInput(command: Command): Command {
  return command
    .argument("[run...]", "run directories or names; the newest run by default")
    .option("--domain <domain>", "only its instances; repeatable, as are the next five", collectOption)
    .option("--tier <tier>", "near-term, full-spectrum or last-exam", collectOption)
    .option("--subfield <id>", "such as 9.2", collectOption)
    .option("--os <os>", "operating system of the machine", collectOption)
    .option("--channel <channel>", "shell, desktop or browser", collectOption)
    .option("--software <name>", "part of the name of a program a professional would use", collectOption)
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir);
}

/**
 * Reads runs, and of them the instances that the filter keeps. Throws `mixed-policies` for runs scored differently, and
 * `unknown-tasks` where the filter asks for facts of tasks whose package is gone.
 */
export async function readBoardInput(
  names: readonly string[],
  options: BoardInputOptions,
  context: CliContext,
): Promise<BoardInput> {
  const runs: BoardRun[] = [];
  for (const name of names.length === 0 ? [undefined] : names) {
    const run = await openRun(await findRun(name, options.runsDir, context.cwd));
    const { attempts } = await readIndexedAttempts(run.dir);
    printFindings(
      attempts.flatMap((attempt) => attempt.problems),
      context.err,
      context.cwd,
    );
    runs.push({ dir: run.dir, plan: run.plan, lock: run.lock, attempts });
  }
  const policy = commonPolicy(runs);
  const { domain, tier, subfield, os, channel, software } = options;
  const filter: TaskFilter = Object.fromEntries(
    Object.entries({ domain, tier, subfield, os, channel, software }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  if (Object.keys(filter).length === 0) return { runs, entries: boardEntries(runs), policy };
  const facts = await readFacts(runs);
  const planned = runs.flatMap((run) => run.plan.trials.map((trial) => trial.instance));
  const { kept, unjudged } = filterInstances(planned, filter, facts);
  if (unjudged.length > 0) {
    throw new AleError({
      code: "unknown-tasks",
      message: `the package of ${unjudged.slice(0, 5).join(", ")}${unjudged.length > 5 ? ` and ${unjudged.length - 5} more` : ""} is not where the run found it, so that it cannot be filtered`,
      remedy: "restore the task folder, or filter by --domain alone, which is in the instance's name",
      fields: { instances: unjudged },
    });
  }
  if (kept.size === 0) {
    throw new AleError({
      code: "nothing-to-rank",
      message: `none of the ${new Set(planned).size} instances of the runs is kept by the filter`,
      remedy: "npx ale tasks ls shows tiers, domains and channels",
    });
  }
  return { runs, entries: boardEntries(runs, { instances: kept }), policy };
}

/** The one policy that all runs were declared under; throws `mixed-policies` otherwise. */
export function commonPolicy(runs: readonly BoardRun[]): ScoringPolicy {
  const [first] = runs;
  if (first === undefined) throw new AleError({ code: "unknown-run", message: "no run was named" });
  const other = runs.find((run) => JSON.stringify(run.plan.scoring) !== JSON.stringify(first.plan.scoring));
  if (other === undefined) return first.plan.scoring;
  throw new AleError({
    code: "mixed-policies",
    message: `${first.dir} was declared to be scored by ${first.plan.scoring.name}, ${other.dir} by ${other.plan.scoring.name}: one board has one policy`,
    remedy: "show the runs on boards of their own",
  });
}

/** Facts from the packages as they are now, where the runs found them. */
async function readFacts(runs: readonly BoardRun[]): Promise<ReadonlyMap<string, TaskFacts>> {
  const packages = await packagesOfRuns(runs);
  return new Map(
    packages.flatMap((task) =>
      task.instances.map((instance) => [instance.id, taskFacts(task.manifest)] as const),
    ),
  );
}
