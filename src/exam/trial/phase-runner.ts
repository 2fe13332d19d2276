import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import type { TrialPhase } from "../../contract/trial-phase.ts";
import type { PhaseTiming } from "../../contract/trial-result.ts";
import { bounded } from "../bounded.ts";
import { describeError } from "./describe-error.ts";
import type { PhaseFailure } from "./resolve-status.ts";

type PhaseOutcome = Extract<TrialEventBody, { type: "phase-ended" }>["outcome"];

/** What the work of a phase comes to, expected failures included. */
export type PhaseStep<T> =
  | { readonly kind: "ok"; readonly value: T; readonly outcome?: PhaseOutcome; readonly message?: string }
  | { readonly kind: "failed"; readonly status: PhaseFailure["status"]; readonly reason: string };

export interface PhaseLimits {
  /** Milliseconds; absent = the phase keeps its own limits. */
  readonly limitMs?: number;
  /** The limit to announce when the phase keeps its own, and `limitMs` only backs it. */
  readonly announcedMs?: number;
  readonly graceMs: number;
  /** The status of an unexpected failure, or of a timeout, in this phase. */
  readonly failsAs: PhaseFailure["status"];
  /** Runs whether or not the trial is cancelled. */
  readonly uncancellable?: boolean;
}

export interface PhaseRunnerOptions {
  readonly clock: Clock;
  readonly cancel: AbortSignal;
  readonly append: (event: TrialEventBody) => void;
  readonly onPhase: (phase: TrialPhase, state: "started" | "ended") => void;
}

/** Runs phases one after the other, notes each with its timing, and keeps what went wrong. */
export class PhaseRunner {
  readonly timings: PhaseTiming[] = [];
  readonly failures: PhaseFailure[] = [];
  #cancelled: TrialPhase | undefined;
  readonly #options: PhaseRunnerOptions;

  constructor(options: PhaseRunnerOptions) {
    this.#options = options;
  }

  /** The phase that was cancelled, when one was. */
  get cancelled(): TrialPhase | undefined {
    return this.#cancelled;
  }

  /** True as long as nothing has gone wrong that later phases could not bear. */
  get goesOn(): boolean {
    return this.#cancelled === undefined && this.failures.length === 0;
  }

  /** The value of the phase's work, or `undefined` when it failed, timed out, or was cancelled. */
  async run<T>(
    phase: TrialPhase,
    limits: PhaseLimits,
    work: (signal: AbortSignal) => Promise<PhaseStep<T>>,
  ): Promise<T | undefined> {
    const { clock, append, onPhase } = this.#options;
    const startedAt = clock.now();
    const from = clock.monotonic();
    const announced = limits.announcedMs ?? limits.limitMs;
    append({ type: "phase-started", phase, ...(announced === undefined ? {} : { limitMs: announced }) });
    onPhase(phase, "started");
    const cancel = limits.uncancellable === true ? new AbortController().signal : this.#options.cancel;
    const { limitMs, graceMs } = limits;
    const end = await bounded({ clock, limitMs, graceMs, cancel }, work);

    const settled = this.#settle(phase, limits, end);
    const wallMs = Math.max(0, clock.monotonic() - from);
    this.timings.push({ phase, startedAt, wallMs });
    const message = settled.message === undefined ? {} : { message: settled.message };
    append({ type: "phase-ended", phase, wallMs, outcome: settled.outcome, ...message });
    onPhase(phase, "ended");
    return settled.value;
  }

  /** Notes a phase that does not take place. */
  skip(phase: TrialPhase): undefined {
    this.#options.append({ type: "phase-ended", phase, wallMs: 0, outcome: "skipped" });
    return undefined;
  }

  #settle<T>(
    phase: TrialPhase,
    limits: PhaseLimits,
    end: Awaited<ReturnType<typeof bounded<PhaseStep<T>>>>,
  ): { readonly outcome: PhaseOutcome; readonly message?: string; readonly value?: T } {
    if (end.by === "cancel") {
      this.#cancelled ??= phase;
      const step = end.work.kind === "returned" ? end.work.value : undefined;
      return step?.kind === "ok" ? { outcome: "cancelled", value: step.value } : { outcome: "cancelled" };
    }
    if (end.by === "limit") {
      const reason = `${phase} was not done within ${(limits.limitMs ?? 0) / 1000} s`;
      this.failures.push({ phase, status: limits.failsAs, reason });
      return { outcome: "timeout", message: reason };
    }
    const step = end.work.kind === "returned" ? end.work.value : this.#unexpected<T>(phase, limits, end.work);
    if (step.kind === "failed") {
      this.failures.push({ phase, status: step.status, reason: step.reason });
      return { outcome: "failed", message: step.reason };
    }
    const message = step.message === undefined ? {} : { message: step.message };
    return { outcome: step.outcome ?? "ok", value: step.value, ...message };
  }

  #unexpected<T>(
    phase: TrialPhase,
    limits: PhaseLimits,
    work: { readonly kind: "threw"; readonly error: unknown } | { readonly kind: "lost" },
  ): PhaseStep<T> {
    if (work.kind === "lost") {
      return { kind: "failed", status: limits.failsAs, reason: `${phase} never returned` };
    }
    const code = AleError.isInstance(work.error) ? work.error.code : undefined;
    const status =
      code === "task-generate" || code === "task-without-program" ? "task_error" : limits.failsAs;
    return { kind: "failed", status, reason: describeError(work.error) };
  }
}
