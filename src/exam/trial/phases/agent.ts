import type { TrialAccounts } from "../../../contract/trial-accounts.ts";
import { wantsAccessibility } from "../../../contract/wants-accessibility.ts";
import { wantsDesktop } from "../../../contract/wants-desktop.ts";
import type { TrialMeter } from "../../../gateway/gateway.ts";
import type { HarnessOutcome } from "../../../harness/harness.ts";
import { bounded, type WorkEnd } from "../../bounded.ts";
import { openTrialDesktop, type TrialDesktop } from "../../desktop/open-trial-desktop.ts";
import type { ScreenEvidence } from "../../desktop/screen-evidence.ts";
import { screenSocket } from "../../desktop/screen-socket.ts";
import { closeAndJudge } from "../../line/close-and-judge.ts";
import { reconcile } from "../../line/reconcile.ts";
import { settleOutcome } from "../../line/settle-outcome.ts";
import type { OpenLine } from "../../line/trial-line.ts";
import { minutesToMs } from "../../minutes-to-ms.ts";
import { afterDisplay } from "../after-display.ts";
import type { AgentEnd } from "../agent-end.ts";
import { agentView } from "../agent-view.ts";
import { keepBudgetFile } from "../budget-file.ts";
import type { PhaseStep } from "../phase-runner.ts";
import { agentStatus } from "../resolve-status.ts";
import type { TrialContext } from "../trial-context.ts";
import { createWorkingClock } from "../working-clock.ts";
import type { Provisioned } from "./provision.ts";

/** What the agent phase leaves behind. */
export interface AgentWork {
  readonly end: AgentEnd;
  readonly workingMs: number;
  /** What each of those who counted says was used; absent for a contestant without a model. */
  readonly accounts?: TrialAccounts;
}

type Stop =
  | { readonly kind: "working"; readonly limitMs: number }
  | { readonly kind: "budget"; readonly limit: string }
  | { readonly kind: "screen" };

/**
 * Launches the harness under its deadline. At the deadline, at a limit, or on cancel its signal is aborted; it then
 * has a grace to return in, after which the trial goes on without it. A screen that fails by itself ends the work at once.
 */
export async function runAgent(
  context: TrialContext,
  machine: Provisioned,
  evidence: ScreenEvidence,
  cancel: AbortSignal,
): Promise<PhaseStep<AgentWork>> {
  const { clock, limits, harness, options, writer } = context;
  const wallMs = minutesToMs(limits.wall_minutes);
  const workingMs = minutesToMs(limits.working_minutes);
  // Before the clocks start: the agent does not wait for its screen on its own time.
  await using desktop = wantsDesktop(context.task.manifest)
    ? await openTrialDesktop({
        sandbox: machine.sandbox,
        clock,
        record: writer.dir,
        note: (event) => writer.append(event),
        socket: screenSocket(context.screens, writer.trial, writer.attempt),
        evidence,
        accessibility: wantsAccessibility(machine.harnessTrial.contestant),
      })
    : undefined;
  if (desktop !== undefined) {
    writer.append({ type: "note", code: "desktop", message: "a screen is there", data: desktop.fingerprint });
  }
  const deadline = wallMs === undefined ? undefined : clock.now() + wallMs;
  const working = createWorkingClock(clock);
  const over = new AbortController();
  // However this phase ends, and be it by being given up on.
  const close = context.teardown.add("agent phase", async () => over.abort());
  const stopper = new AbortController();
  let stop: Stop | undefined;
  const stopFor = (reason: Stop): void => {
    stop ??= reason;
    stopper.abort(new DOMException("a limit was reached", "TimeoutError"));
  };

  desktop?.watch.untilLost(over.signal).then(
    (lost) => {
      writer.append({
        type: "note",
        code: `screen-${lost.state}`,
        message: lost.message,
        data: { by: lost.by },
      });
      if (lost.by === "itself") stopFor({ kind: "screen" });
    },
    () => undefined,
  );

  await using line = await machine.line.open({
    sandbox: machine.sandbox,
    bridge: desktop?.bridge,
    working,
    exceed: (limit) => stopFor({ kind: "budget", limit }),
  });
  const env = {
    ...desktop?.env,
    ...line.env,
    ...(deadline === undefined ? {} : { ALE_DEADLINE: new Date(deadline).toISOString() }),
  };
  const sandbox = agentView(machine.sandbox, env, over.signal);
  const logs = await writer.folder("logs");
  await keepBudgetFile(context, machine.sandbox, { deadline, working, meter: line.meter, stop: over.signal });
  if (workingMs !== undefined) {
    working.until(workingMs, over.signal).then(
      () => stopFor({ kind: "working", limitMs: workingMs }),
      () => undefined,
    );
  }

  const bounds = {
    clock,
    limitMs: wallMs,
    graceMs: options.agentGraceMs,
    cancel: AbortSignal.any([cancel, stopper.signal]),
  };
  const { by, work } = await bounded(bounds, (signal) =>
    harness.launch({
      trial: machine.harnessTrial,
      sandbox,
      ...(line.model === undefined ? {} : { model: line.model }),
      ...(desktop === undefined ? {} : { screen: desktop.screen, screenBridge: desktop.bridge }),
      signal,
      record: writer.dir,
      logs,
      clock,
      redact: (value) => writer.redact(value),
      emit: (event) => {
        if (!over.signal.aborted) writer.append(event);
      },
    }),
  );
  const elapsed = working.elapsedMs();
  const display = await desktop?.watch.conclude();
  await close();
  const meter = by === "itself" ? await judged(context, machine, line, desktop, cancel) : await line.close();
  const said = work.kind === "returned" ? work.value : undefined;
  const settled: WorkEnd<HarnessOutcome> =
    said === undefined ? work : { kind: "returned", value: settleOutcome(said, meter) };
  const ended = agentEnd(
    by === "limit" ? wallMs : undefined,
    by === "cancel" ? (stop ?? "cancelled") : undefined,
    settled,
  );
  const end = afterDisplay(ended, display);
  const accounts = meter === undefined ? {} : { accounts: reconcile(meter, said, harness.claimsAllCalls) };
  const value = { end, workingMs: Math.max(0, elapsed), ...accounts };
  return { kind: "ok", value, ...phaseOutcome(end) };
}

function judged(
  { clock, options, writer }: TrialContext,
  { sandbox }: Provisioned,
  line: OpenLine,
  desktop: TrialDesktop | undefined,
  cancel: AbortSignal,
): Promise<TrialMeter | undefined> {
  return closeAndJudge(line, {
    clock,
    cancel,
    judgingMs: options.judgingMs,
    endMs: options.quiesceMs,
    endAgent: async () => {
      await desktop?.[Symbol.asyncDispose]();
      await sandbox.quiesce();
    },
    note: (event) => writer.append(event),
  });
}

function agentEnd(
  wallLimitMs: number | undefined,
  stopped: Stop | "cancelled" | undefined,
  work: WorkEnd<HarnessOutcome>,
): AgentEnd {
  const outcome = work.kind === "returned" ? work.value : undefined;
  if (wallLimitMs !== undefined) return { kind: "timeout", clock: "wall", limitMs: wallLimitMs, outcome };
  if (stopped === "cancelled") return { kind: "cancelled", outcome };
  if (stopped?.kind === "budget") return { kind: "budget", limit: stopped.limit, outcome };
  if (stopped?.kind === "working")
    return { kind: "timeout", clock: "working", limitMs: stopped.limitMs, outcome };
  if (outcome !== undefined) return { kind: "returned", outcome };
  const error = work.kind === "threw" ? work.error : undefined;
  const why = error instanceof Error ? error.message : String(error);
  return { kind: "lost", reason: `the harness failed unexpectedly: ${why}` };
}

function phaseOutcome(end: AgentEnd): Pick<Extract<PhaseStep<never>, { kind: "ok" }>, "outcome" | "message"> {
  const { status, reason } = agentStatus(end);
  if (status === "completed") return {};
  const outcome = status === "timeout" || status === "budget_exceeded" ? "timeout" : "failed";
  return { outcome: status === "cancelled" ? "cancelled" : outcome, message: reason };
}
