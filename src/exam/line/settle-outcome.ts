import type { CallOutcome } from "../../contract/model-call.ts";
import type { TrialMeter, UpstreamFailure } from "../../gateway/gateway.ts";
import type { HarnessOutcome } from "../../harness/harness.ts";

/**
 * The harness's outcome in the light of what the gateway saw, which knows better than the harness whether a call was lost
 * to the upstream and whether the model declined.
 */
export function settleOutcome(outcome: HarnessOutcome, meter: TrialMeter | undefined): HarnessOutcome {
  if (meter === undefined) return outcome;
  const { usage, costUsd, claim } = outcome;
  const told = { usage, costUsd, claim };
  if (meter.divergence !== undefined) return { kind: "env-error", reason: meter.divergence, ...told };
  const lost = meter.failures.at(-1);
  if (lost !== undefined && isLost(meter.lastEnd, lost)) {
    const what = lost.status === 0 ? lost.message : `HTTP ${lost.status}: ${lost.message}`;
    return { kind: "env-error", reason: `a call to ${lost.model} was lost: ${what}`, ...told };
  }
  if (meter.lastEnd?.kind === "refused") {
    return { kind: "refused", reason: meter.lastEnd.reason, ...told };
  }
  if (outcome.kind === "completed" && meter.usage.calls === 0) {
    const because = meter.rejected.at(-1);
    return {
      kind: "agent-error",
      reason: `it ended without a call to its model${because === undefined ? "" : `: ${because}`}`,
      ...told,
    };
  }
  return outcome;
}

/** The last call for an answer got none, and that was the upstream's doing. */
function isLost(end: CallOutcome | undefined, lost: UpstreamFailure): boolean {
  if (end?.kind === "failed") return end.status === lost.status;
  return end?.kind === "cut" || end?.kind === "unreachable";
}
