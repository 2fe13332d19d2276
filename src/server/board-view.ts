import { type BoardEntry, boardEntries } from "../board/board-entry.ts";
import { boardRows, type VerifiedLane } from "../board/board-rows.ts";
import { laneEstimate } from "../board/lane-estimate.ts";
import { filterInstances, type TaskFilter, taskFacts } from "../board/task-facts.ts";
import { toFigure } from "../board/views/figure.ts";
import { AleError } from "../contract/ale-error.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import { describeEstimand } from "../stats/clusters.ts";
import type { BoardView, DomainFigure } from "./api/board-view.ts";
import type { LoadedRun } from "./loaded-run.ts";
import type { ServedTask } from "./served-task.ts";
import { domainOf } from "./trial-rows.ts";

/** Rows of some runs, of the instances a filter keeps. */
export interface BoardSelection {
  readonly entries: readonly BoardEntry[];
  readonly policy: ScoringPolicy;
  readonly unjudged: readonly string[];
}

/** The rows of runs under their common policy. Throws `mixed-policies` for runs that were declared to be scored differently. */
export function selectEntries(
  runs: readonly LoadedRun[],
  filter: TaskFilter,
  tasks: readonly ServedTask[],
): BoardSelection {
  const policy = commonPolicy(runs);
  if (Object.keys(filter).length === 0) return { entries: boardEntries(runs), policy, unjudged: [] };
  const facts = new Map(
    tasks.flatMap((task) => task.instances.map(({ id }) => [id, taskFacts(task.manifest)] as const)),
  );
  const planned = runs.flatMap((run) => run.plan.trials.map((trial) => trial.instance));
  const { kept, unjudged } = filterInstances(planned, filter, facts);
  return { entries: boardEntries(runs, { instances: kept }), policy, unjudged };
}

function commonPolicy(runs: readonly LoadedRun[]): ScoringPolicy {
  const [first] = runs;
  if (first === undefined) throw new AleError({ code: "unknown-run", message: "there is no run to rank" });
  const other = runs.find((run) => JSON.stringify(run.plan.scoring) !== JSON.stringify(first.plan.scoring));
  if (other === undefined) return first.plan.scoring;
  throw new AleError({
    code: "mixed-policies",
    message: `${first.id} was declared to be scored by ${first.plan.scoring.name}, ${other.id} by ${other.plan.scoring.name}: one board has one policy`,
    remedy: "show the runs on boards of their own",
  });
}

/** The board of one verified lane, with every contestant's score by domain. */
export function verifiedBoard(
  runs: readonly LoadedRun[],
  lane: VerifiedLane,
  { entries, policy, unjudged }: BoardSelection,
): BoardView {
  const measure = lane === "mean-verified" ? "mean" : "full-pass";
  const domains = entries.flatMap((entry): DomainFigure[] =>
    [...Map.groupBy(entry.trials, (trial) => domainOf(trial.instance))].map(([domain, trials]) => ({
      contestant: entry.contestant,
      domain,
      trials: trials.length,
      ...toFigure(laneEstimate(trials, measure, { policy })),
    })),
  );
  return {
    kind: "verified",
    outcome: boardRows(entries, { lane, policy }),
    runs: runs.map((run) => run.id),
    domains,
    estimandIs: describeEstimand("workflow"),
    unjudged,
  };
}
