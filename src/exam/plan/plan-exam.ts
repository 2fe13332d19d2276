import type { Clock } from "../../contract/clock.ts";
import type { ExamFile } from "../../contract/exam-file.ts";
import type { ExamPlan, PlannedTrial } from "../../contract/exam-plan.ts";
import { createRandom } from "../../contract/random.ts";
import { aleMissingZeroPolicy, observedPolicy, type ScoringPolicy } from "../../contract/scoring-policy.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { admissionOrder } from "./admission-order.ts";
import { expandContestants } from "./expand-contestants.ts";
import { createTrialIds } from "./trial-id.ts";
import { wantedInstances } from "./wanted-instances.ts";

export interface PlanExamOptions {
  readonly file: ExamFile;
  /** Every readable package below the exam's roots; the plan takes the instances the exam asks for. */
  readonly packages: readonly TaskPackage[];
  readonly clock: Clock;
}

/**
 * Resolves an exam: contestants × instances × repeats, in order of admission. The same file and packages give the
 * same trials in the same order. Throws an `AleError` for an exam that cannot be.
 */
export function planExam(options: PlanExamOptions): ExamPlan {
  const { file } = options;
  const contestants = expandContestants(file.contestants);
  const { instances: selected } = wantedInstances(options.packages, file.tasks);
  const names = contestants.map((contestant) => contestant.name);
  const trialId = createTrialIds(names);
  const casesOf = (contestant: string): readonly PlannedTrial[] =>
    selected.flatMap(({ instance }) =>
      Array.from({ length: file.repeats }, (_, index) => ({
        id: trialId(contestant, instance.id, index + 1),
        contestant,
        instance: instance.id,
        repeat: index + 1,
      })),
    );
  return {
    schema: "ale/plan@1",
    exam: file.name,
    createdAt: options.clock.now(),
    file,
    contestants,
    scoring: resolvePolicy(file.scoring),
    trials: admissionOrder(names, casesOf, createRandom(file.seed).fork("admission")),
  };
}

function resolvePolicy(scoring: ExamFile["scoring"]): ScoringPolicy {
  if (scoring === "observed") return observedPolicy;
  if (scoring === "ale-missing-zero") return aleMissingZeroPolicy;
  return scoring;
}
