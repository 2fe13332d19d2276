import { unknown } from "../../contract/absence.ts";
import { clusteredMean } from "../../stats/clustered-mean.ts";
import type { Observation } from "../../stats/clusters.ts";
import { type Figure, toFigure } from "../views/figure.ts";
import type { AttemptJudgement } from "./judge-attempt.ts";

/** How far a contestant's "done" can be trusted. */
export interface CompletionClaims {
  readonly contestant: string;
  readonly attempts: number;
  /** Attempts without a claim, or without a verdict: in neither figure. */
  readonly withoutClaim: number;
  readonly withoutVerdict: number;
  readonly saidDone: number;
  readonly saidDoneAndPassed: number;
  readonly passed: number;
  /** Of those that said done, the share that passed in full. */
  readonly precision: Figure;
  /** Of those that passed in full, the share that said done. */
  readonly recall: Figure;
}

/** Claims against verdicts, per contestant; intervals over workflows, attempts weighing alike. */
export function completionClaims(judgements: readonly AttemptJudgement[]): readonly CompletionClaims[] {
  const groups = Map.groupBy(judgements, (judgement) => judgement.contestant);
  return [...groups].map(([contestant, own]): CompletionClaims => {
    const told = own.flatMap(({ workflow, instance, claim, fullPass }) =>
      claim.known && fullPass.known
        ? [{ workflow, instance, done: claim.value === "done", passed: fullPass.value }]
        : [],
    );
    const done = told.filter((attempt) => attempt.done);
    const passed = told.filter((attempt) => attempt.passed);
    const share = (
      attempts: typeof told,
      holds: (attempt: (typeof told)[number]) => boolean,
      nothing: string,
    ): Figure => {
      if (attempts.length === 0) return toFigure({ value: unknown(nothing), interval: unknown(nothing) });
      const values = attempts.map((attempt): Observation => ({ ...attempt, value: Number(holds(attempt)) }));
      return toFigure(clusteredMean(values, { estimand: "trial", range: [0, 1] }));
    };
    return {
      contestant,
      attempts: own.length,
      withoutClaim: own.filter(({ claim }) => !claim.known).length,
      withoutVerdict: own.filter(({ fullPass }) => !fullPass.known).length,
      saidDone: done.length,
      saidDoneAndPassed: done.filter((attempt) => attempt.passed).length,
      passed: passed.length,
      precision: share(done, (attempt) => attempt.passed, "it never said done"),
      recall: share(passed, (attempt) => attempt.done, "nothing was passed in full"),
    };
  });
}
