import type { Clock } from "../../contract/clock.ts";
import type { TrialEventBody } from "../../contract/trial-event.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import { bounded } from "../bounded.ts";
import type { OpenLine } from "./trial-line.ts";

export interface CloseAndJudgeOptions {
  readonly clock: Clock;
  /** Ends what the agent has left running: nobody works on while its calls are judged. */
  readonly endAgent: () => Promise<unknown>;
  /** For ending it, in milliseconds. */
  readonly endMs: number;
  /** Longest wait for an answer, in milliseconds; what has not come by then is nobody's failure. */
  readonly judgingMs: number;
  readonly cancel: AbortSignal;
  readonly note: (event: Extract<TrialEventBody, { type: "note" }>) => void;
}

/**
 * Closes the line of a harness that has ended by itself. If it left a call after a long silence, only the answer tells whose
 * failure that was: the upstream's, if it does not come, and the harness's, if it does. Otherwise a contestant would have a
 * new attempt by leaving a call that takes long.
 */
export async function closeAndJudge(
  line: OpenLine,
  options: CloseAndJudgeOptions,
): Promise<TrialMeter | undefined> {
  const { clock, endAgent, endMs, judgingMs, cancel, note } = options;
  const underWay = line.meter()?.underWay ?? 0;
  if (underWay === 0) return await line.close();
  const calls = underWay === 1 ? "a call" : `${underWay} calls`;
  const message = `the harness ended while ${calls} to its model had no answer; the answer is waited for`;
  note({ type: "note", code: "call-under-way", message });
  await bounded({ clock, limitMs: endMs, graceMs: 0, cancel }, endAgent);
  const over = new AbortController();
  const judging = AbortSignal.any([cancel, over.signal]);
  const waiting = new AbortController();
  clock.sleep(judgingMs, waiting.signal).then(
    () => over.abort(),
    () => undefined,
  );
  try {
    return await line.close(judging);
  } finally {
    waiting.abort();
  }
}
