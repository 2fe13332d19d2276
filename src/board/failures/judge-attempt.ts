import type { Maybe } from "../../contract/absence.ts";
import type { FailureLabel } from "../../contract/failure-label.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";
import type { FailureCase, FailureRule } from "./failure-case.ts";
import { outcomeRules } from "./outcome-rules.ts";
import { judgeTaint, type Taint } from "./taint.ts";
import { traceRules } from "./trace-rules.ts";

/** Every rule, those of the outcome first. */
const failureRules: readonly FailureRule[] = [...outcomeRules, ...traceRules];

/** A rule that fired, with its evidence. */
export interface RuleLabel {
  readonly rule: string;
  readonly meaning: string;
  /** Subclass of the label scheme it points to. */
  readonly suggests?: string;
  readonly evidence: readonly string[];
}

/** All that is known of why one attempt did not pass, or whether its pass is clean. */
export interface AttemptJudgement {
  readonly trial: string;
  readonly attempt: number;
  readonly dir: string;
  readonly contestant: string;
  readonly workflow: string;
  readonly instance: string;
  readonly status: TrialStatus;
  readonly score: Maybe<number>;
  readonly fullPass: Maybe<boolean>;
  readonly claim: Maybe<"done" | "partial" | "could-not">;
  /** Given by people, or by a model and marked so; oldest first. */
  readonly labels: readonly FailureLabel[];
  readonly rules: readonly RuleLabel[];
  /** Rules that could not tell, with the reason. */
  readonly untold: readonly { readonly rule: string; readonly reason: string }[];
  readonly taint: Taint;
}

/** Judges one counted attempt by every rule. Its trace is not kept: trajectories are large. */
export function judgeAttempt(
  failure: FailureCase,
  about: {
    readonly dir: string;
    readonly workflow: string;
    readonly labels: readonly FailureLabel[];
    /** Files of the attempt, besides its trajectory, that hold the task's canary. */
    readonly canaryIn: readonly string[];
  },
): AttemptJudgement {
  const { result, grade } = failure;
  const findings = failureRules.map((rule) => ({ rule, finding: rule.judge(failure) }));
  return {
    trial: result.trial,
    attempt: result.attempt,
    dir: about.dir,
    contestant: result.contestant.name,
    workflow: about.workflow,
    instance: result.instance,
    status: grade.status,
    score: grade.score,
    fullPass: grade.fullPass,
    claim: result.claim.known ? { known: true, value: result.claim.value.kind } : result.claim,
    labels: about.labels,
    rules: findings.flatMap(({ rule, finding }): RuleLabel[] => {
      if (finding.kind !== "yes") return [];
      const { id, meaning, suggests } = rule;
      const named = suggests === undefined ? {} : { suggests };
      return [{ rule: id, meaning, ...named, evidence: finding.evidence }];
    }),
    untold: findings.flatMap(({ rule, finding }) =>
      finding.kind === "cannot-tell" ? [{ rule: rule.id, reason: finding.reason }] : [],
    ),
    taint: judgeTaint(failure, about.canaryIn),
  };
}
