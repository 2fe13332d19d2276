import { known, type Maybe, unknown } from "../../../contract/absence.ts";
import type { Artifact } from "../../../contract/artifact.ts";
import type { ChannelUse } from "../../../contract/channel-use.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { LastScreen } from "../../../contract/last-screen.ts";
import type { TrialAccounts } from "../../../contract/trial-accounts.ts";
import type { PhaseTiming, TrialResult } from "../../../contract/trial-result.ts";
import type { Usage } from "../../../contract/usage.ts";
import type { Verdict } from "../../../contract/verdict.ts";
import type { HarnessOutcome } from "../../../harness/harness.ts";
import type { AgentEnd } from "../agent-end.ts";
import type { ResolvedStatus } from "../resolve-status.ts";
import type { TrialContext } from "../trial-context.ts";
import type { AgentWork } from "./agent.ts";

/** What an attempt has come to by the time it is recorded. */
export interface AttemptFindings {
  readonly status: ResolvedStatus;
  readonly agent: AgentWork | undefined;
  readonly channels: ChannelUse | undefined;
  readonly lastScreen: LastScreen | undefined;
  readonly verdict: Verdict | undefined;
  readonly artifacts: readonly Artifact[];
  readonly fingerprint: JsonValue;
  readonly startedAt: number;
  readonly wallMs: number;
  readonly phases: readonly PhaseTiming[];
}

/** The result of an attempt, whole. */
export function trialResult(context: TrialContext, findings: AttemptFindings): TrialResult {
  const { trial, contestant, writer, task } = context;
  const { verdict } = findings;
  // What programs said may be in the reason, and it is printed as well as recorded.
  const status = { ...findings.status, reason: String(writer.redact(findings.status.reason)) };
  const accounts = findings.agent?.accounts;
  const outcome = outcomeOf(findings.agent?.end);
  const ungraded = `not graded: ${status.reason === "" ? "no verdict" : status.reason}`;
  return {
    schema: "ale/result@1",
    trial: trial.id,
    attempt: writer.attempt,
    contestant,
    harnessVersion: context.harnessVersion,
    instance: trial.instance,
    repeat: trial.repeat,
    taskHash: task.contentHash,
    comparabilityKey: context.comparabilityKey,
    ...status,
    score: verdict === undefined ? unknown(ungraded) : known(verdict.score),
    fullPass: verdict === undefined ? unknown(ungraded) : known(verdict.fullPass),
    startedAt: findings.startedAt,
    wallMs: findings.wallMs,
    workingMs: findings.agent?.workingMs ?? 0,
    phases: findings.phases,
    usage: accounts === undefined ? fromOutcome(outcome, "usage") : meteredUsage(accounts),
    costUsd: accounts === undefined ? fromOutcome(outcome, "costUsd") : accounts.gateway.costUsd,
    ...(accounts === undefined ? {} : { accounts }),
    claim: fromOutcome(outcome, "claim"),
    ...(findings.channels === undefined ? {} : { channels: findings.channels }),
    ...(findings.lastScreen === undefined ? {} : { lastScreen: findings.lastScreen }),
    artifacts: findings.artifacts,
    fingerprint: findings.fingerprint,
  };
}

function meteredUsage({ gateway }: TrialAccounts): Maybe<Usage> {
  const { usage, unmetered } = gateway;
  return unmetered === 0
    ? known(usage)
    : unknown(`the provider never told the usage of ${unmetered} of ${usage.calls} calls`);
}

function outcomeOf(end: AgentEnd | undefined): HarnessOutcome | undefined {
  return end === undefined || end.kind === "lost" ? undefined : end.outcome;
}

function fromOutcome<K extends "usage" | "costUsd" | "claim">(
  outcome: HarnessOutcome | undefined,
  key: K,
): HarnessOutcome[K] | Maybe<never> {
  return outcome === undefined ? unknown("the harness did not return") : outcome[key];
}
