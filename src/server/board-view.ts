import { type BoardEntry, boardEntries } from "../board/board-entry.ts";
import { boardRows, type VerifiedLane } from "../board/board-rows.ts";
import { filterInstances, type TaskFilter, taskFacts } from "../board/task-facts.ts";
import { domainScores } from "../board/views/domain-scores.ts";
import { effortCurves } from "../board/views/effort-curves.ts";
import { harnessModelMaps } from "../board/views/harness-model.ts";
import { trends } from "../board/views/trend.ts";
import { AleError } from "../contract/ale-error.ts";
import type { ScoringPolicy } from "../contract/scoring-policy.ts";
import { describeEstimand } from "../stats/clusters.ts";
import type { BoardView, TrendView } from "./api/board-view.ts";
import type { LoadedRun } from "./loaded-run.ts";
import type { ServedTask } from "./served-task.ts";

/** Rows of some runs, of the instances a filter keeps. */
export interface BoardSelection {
  readonly entries: readonly BoardEntry[];
  readonly policy: ScoringPolicy;
  readonly unjudged: readonly string[];
  /** The first run's, for what is drawn by lot. */
  readonly seed: number;
}

/** The rows of runs under their common policy. Throws `mixed-policies` for runs that were declared to be scored differently. */
export function selectEntries(
  runs: readonly LoadedRun[],
  filter: TaskFilter,
  tasks: readonly ServedTask[],
): BoardSelection {
  const policy = commonPolicy(runs);
  const seed = runs[0]?.plan.file.seed ?? 0;
  if (Object.keys(filter).length === 0) return { entries: boardEntries(runs), policy, unjudged: [], seed };
  const facts = new Map(
    tasks.flatMap((task) => task.instances.map(({ id }) => [id, taskFacts(task.manifest)] as const)),
  );
  const planned = runs.flatMap((run) => run.plan.trials.map((trial) => trial.instance));
  const { kept, unjudged } = filterInstances(planned, filter, facts);
  return { entries: boardEntries(runs, { instances: kept }), policy, unjudged, seed };
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
  const how = { policy, measure } as const;
  return {
    kind: "verified",
    outcome: boardRows(entries, { lane, policy }),
    runs: runs.map((run) => run.id),
    domains: domainScores(entries, how),
    efforts: effortCurves(entries, how),
    harnessModels: harnessModelMaps(entries, how).filter(
      (map) => map.harnesses.length + map.models.length > 2,
    ),
    estimandIs: describeEstimand("workflow"),
    unjudged,
  };
}

/**
 * Every contestant over the runs that were declared to be scored as the newest one, oldest first. Nothing where there are
 * fewer than two: there is no trend in one run.
 */
export function trendView(runs: readonly LoadedRun[], lane: VerifiedLane): TrendView {
  const newest = runs.at(-1);
  const alike = runs.filter(
    (run) => JSON.stringify(run.plan.scoring) === JSON.stringify(newest?.plan.scoring),
  );
  if (newest === undefined || alike.length < 2) return { trends: [] };
  const ids = new Map(alike.map((run) => [run.dir, run.id]));
  const measure = lane === "mean-verified" ? "mean" : "full-pass";
  const lines = trends(alike, { policy: newest.plan.scoring, measure });
  return {
    trends: lines.map((line) => ({
      ...line,
      points: line.points.map((point) => ({ ...point, run: ids.get(point.run) ?? "" })),
    })),
  };
}
