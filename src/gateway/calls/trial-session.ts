import type { Maybe } from "../../contract/absence.ts";
import type { Contestant } from "../../contract/contestant.ts";
import type { CallOutcome } from "../../contract/model-call.ts";
import type { Usage } from "../../contract/usage.ts";
import type { UpstreamFailure } from "../gateway.ts";
import type { Spend } from "../money/spend.ts";
import type { BodyRedaction } from "../record/body-redaction.ts";
import type { CallLog } from "../record/call-log.ts";
import type { Replay } from "../record/replay.ts";
import type { HeldBytes } from "./read-request.ts";

/** How long a call may go on. */
export interface CallLife extends Disposable {
  /** Aborted when the trial is over, and the call with it. */
  readonly over: AbortSignal;
}

/** One open trial, as the calls made for it see it. */
export interface TrialSession {
  readonly contestant: Contestant;
  readonly spend: Spend;
  readonly log: CallLog;
  /** Takes keys and tokens out of a text. */
  readonly redact: BodyRedaction;
  readonly held: HeldBytes;
  /** Answers in place of servers. */
  readonly replay: Promise<Replay> | undefined;
  readonly onWait: (forMs?: number) => Disposable;
  /** Aborted when the trial is closed: calls that wait are given up. */
  readonly closing: AbortSignal;
  /**
   * A call begins, and ends when it is disposed of.
   * @param isOwed true as long as only its answer can tell whose failure it is that its client has left.
   */
  begin(isOwed: () => boolean): CallLife;
  nextSeq(): number;
  noteWaited(ms: number): void;
  /** So many milliseconds until now were waited for an answer that did not come: a wait, and not the contestant's. */
  noteLost(ms: number): void;
  noteLimit(limit: string): void;
  noteRejected(reason: string): void;
  noteRefusal(reason: string): void;
  noteSubstitution(asked: string, served: string): void;
  noteFailure(failure: UpstreamFailure): void;
  noteDivergence(message: string): void;
  /** How a call for an answer ended, in order of end. */
  noteEnd(outcome: CallOutcome, seq: number, clientLeft: boolean): void;
  /** Adds to what the trial has used; with what the provider itself says it charged, where it does. */
  settle(usage: Maybe<Usage>, costUsd: Maybe<number>, providerCostUsd: number | undefined): void;
}
