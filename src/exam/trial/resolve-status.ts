import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";
import type { AgentEnd } from "./agent-end.ts";

/** A phase that failed through no fault of the contestant. */
export interface PhaseFailure {
  readonly phase: TrialPhase;
  readonly status: Extract<TrialStatus, "env_error" | "task_error" | "verifier_error">;
  readonly reason: string;
}

/** What is known of an attempt when its status is settled. */
export interface AttemptFacts {
  /** The phase that was cancelled, when one was. */
  readonly cancelled: TrialPhase | undefined;
  /** In order of occurrence. */
  readonly failures: readonly PhaseFailure[];
  /** Absent when the agent was never launched. */
  readonly agent: AgentEnd | undefined;
}

export interface ResolvedStatus {
  readonly status: TrialStatus;
  /** Empty when completed. */
  readonly reason: string;
  readonly failedPhase?: TrialPhase;
}

/**
 * One status for an attempt. In this order:
 * 1. `cancelled`: the operator's word, whatever else went on;
 * 2. the first failure that is not the contestant's. It comes before the contestant's own end, because the attempt
 *    then has no verdict to be judged by: an agent that timed out before the grader crashed is a
 *    `verifier_error`, so that a retry or a regrade can give the timeout the verdict it is owed;
 * 3. how the agent ended.
 *
 * Apart from that, status and verdict are independent: a timeout is graded on what it left.
 */
export function resolveStatus(facts: AttemptFacts): ResolvedStatus {
  if (facts.cancelled !== undefined) {
    return {
      status: "cancelled",
      reason: `cancelled during ${facts.cancelled}`,
      failedPhase: facts.cancelled,
    };
  }
  const failure = facts.failures[0];
  if (failure !== undefined) {
    return { status: failure.status, reason: failure.reason, failedPhase: failure.phase };
  }
  if (facts.agent === undefined) {
    return { status: "env_error", reason: "the agent was never launched", failedPhase: "agent" };
  }
  return agentStatus(facts.agent);
}

/** The status an agent's end stands for on its own. */
export function agentStatus(end: AgentEnd): ResolvedStatus {
  switch (end.kind) {
    case "timeout": {
      const minutes = Math.round(end.limitMs / 600) / 100;
      return {
        status: "timeout",
        reason: `the ${end.clock} time of ${minutes} min was over`,
        failedPhase: "agent",
      };
    }
    case "budget":
      return {
        status: "budget_exceeded",
        reason: `the limit on ${end.limit} was reached`,
        failedPhase: "agent",
      };
    case "cancelled":
      return { status: "cancelled", reason: "cancelled during agent", failedPhase: "agent" };
    case "lost":
      return { status: "env_error", reason: end.reason, failedPhase: "agent" };
    case "returned":
      break;
  }
  const { outcome } = end;
  switch (outcome.kind) {
    case "completed":
      return { status: "completed", reason: "" };
    case "refused":
      return { status: "refused", reason: outcome.reason, failedPhase: "agent" };
    case "agent-error":
      return { status: "agent_error", reason: outcome.reason, failedPhase: "agent" };
    case "env-error":
      return { status: "env_error", reason: outcome.reason, failedPhase: "agent" };
  }
}
