import { AleError } from "../../contract/ale-error.ts";
import type { ChannelUse } from "../../contract/channel-use.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { accountChannels } from "../channels/account-channels.ts";
import { createScreenEvidence } from "../desktop/screen-evidence.ts";
import { minutesToMs } from "../minutes-to-ms.ts";
import { PhaseRunner } from "./phase-runner.ts";
import { runAgent } from "./phases/agent.ts";
import { collect } from "./phases/collect.ts";
import { provision } from "./phases/provision.ts";
import { quiesce } from "./phases/quiesce.ts";
import { trialResult } from "./phases/record.ts";
import { setUp } from "./phases/set-up.ts";
import { tearDown } from "./phases/tear-down.ts";
import { verify } from "./phases/verify.ts";
import { agentStatus, resolveStatus } from "./resolve-status.ts";
import type { TrialContext } from "./trial-context.ts";

/**
 * One attempt at one trial, from an empty machine to a recorded result: provision, setup, agent, quiesce, collect,
 * verify, record, teardown. Whatever fails on the way, the result is recorded and everything is torn down. Rejects
 * only when the record itself cannot be written.
 */
export async function runAttempt(context: TrialContext): Promise<TrialResult> {
  const { clock, cancel, options, writer, trial } = context;
  const { graceMs } = options;
  const append = writer.append.bind(writer);
  const phases = new PhaseRunner({ clock, cancel, append, onPhase: context.onPhase });
  const startedAt = clock.now();
  const from = clock.monotonic();
  append({
    type: "attempt-started",
    trial: trial.id,
    attempt: writer.attempt,
    contestant: trial.contestant,
    instance: trial.instance,
  });

  const house = { graceMs, failsAs: "env_error" } as const;
  const machine = await phases.run("provision", { ...house, limitMs: options.provisionMs }, (signal) =>
    provision(context, signal),
  );
  const ready =
    machine !== undefined && phases.goesOn
      ? await phases.run("setup", { ...house, limitMs: options.setupMs }, (signal) =>
          setUp(context, machine.sandbox, signal),
        )
      : phases.skip("setup");

  const evidence = createScreenEvidence(writer.dir);
  const graceOfAgent = options.agentGraceMs + graceMs;
  const wallMs = minutesToMs(context.limits.wall_minutes);
  // The phase keeps its deadline itself; ours is there should even that not return.
  const afterwards = graceOfAgent + options.judgingMs;
  const backed = wallMs === undefined ? {} : { announcedMs: wallMs, limitMs: wallMs + afterwards };
  const agentLimits = { graceMs: graceOfAgent, failsAs: "env_error", ...backed } as const;
  const agent =
    machine !== undefined && ready !== undefined && phases.goesOn
      ? await phases.run("agent", agentLimits, (signal) => runAgent(context, machine, evidence, signal))
      : phases.skip("agent");
  const ownEnd = agent === undefined ? undefined : agentStatus(agent.end);
  if (ownEnd !== undefined)
    append({ type: "note", code: "agent-end", message: ownEnd.reason, data: ownEnd.status });
  const leftWork = ownEnd !== undefined && ownEnd.status !== "env_error" && phases.goesOn;

  const frozen =
    machine !== undefined && leftWork
      ? await phases.run("quiesce", { ...house, limitMs: options.quiesceMs }, () =>
          quiesce(context, machine.sandbox),
        )
      : phases.skip("quiesce");
  const collected =
    machine !== undefined && frozen !== undefined && phases.goesOn
      ? await phases.run("collect", { ...house, limitMs: options.collectMs }, (signal) =>
          collect(context, machine.sandbox, signal),
        )
      : phases.skip("collect");
  const verifyMs = context.task.manifest.grader.wall_seconds * 1000 + options.verifyOverheadMs;
  const verdict =
    collected !== undefined && phases.goesOn
      ? await verifyInTurn(context, phases, collected.dir, verifyMs)
      : phases.skip("verify");

  const status = resolveStatus({ cancelled: phases.cancelled, failures: phases.failures, agent: agent?.end });
  const result = trialResult(context, {
    status,
    agent,
    channels: agent === undefined ? undefined : await noted(context, () => channelsOf(context)),
    lastScreen: await noted(context, () => evidence.keep()),
    verdict,
    artifacts: collected?.artifacts ?? [],
    fingerprint: machine?.fingerprint ?? null,
    startedAt,
    wallMs: Math.max(0, clock.monotonic() - from),
    phases: [...phases.timings],
  });
  try {
    const written = await phases.run(
      "record",
      { ...house, limitMs: options.recordMs, uncancellable: true },
      async () => {
        await writer.writeResult(result);
        return { kind: "ok", value: true };
      },
    );
    if (written !== true) throw recordFailed(context, phases);
  } finally {
    await tearDown(context, phases);
    append({ type: "attempt-ended", status: status.status, reason: status.reason });
    await writer.flush();
  }
  return result;
}

/** Verifies once a grader's place is free; waiting for it counts as nobody's time. */
async function verifyInTurn(
  context: TrialContext,
  phases: PhaseRunner,
  artifacts: string,
  limitMs: number,
): Promise<Verdict | undefined> {
  // Cancelled while waiting, the phase below ends before it begins.
  using _place = await context.verifiers.acquire({ verifiers: 1 }, context.cancel).catch(() => undefined);
  const limits = { graceMs: context.options.graceMs, limitMs, failsAs: "verifier_error" } as const;
  return await phases.run("verify", limits, (signal) => verify(context, artifacts, signal));
}

async function channelsOf({ writer, harness, task }: TrialContext): Promise<ChannelUse> {
  await writer.flush();
  return accountChannels({ dir: writer.dir, harness, required: task.manifest.required_channel });
}

/** What stands beside a result: where it cannot be had, that is noted and takes nothing from the attempt. */
async function noted<T>({ writer }: TrialContext, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    writer.append({ type: "note", code: "record-part", message: String(error) });
    return undefined;
  }
}

function recordFailed(context: TrialContext, phases: PhaseRunner): AleError {
  const why = phases.failures.at(-1)?.reason ?? "unknown";
  return new AleError({
    code: "record-failed",
    message: `the result of ${context.trial.id} could not be written in ${context.writer.dir}: ${why}`,
    remedy: "Make room on the disk or mend its permissions, then resume the exam.",
    fields: { trial: context.trial.id, dir: context.writer.dir },
  });
}
