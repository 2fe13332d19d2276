import type { ServerResponse } from "node:http";
import { unknown } from "../../contract/absence.ts";
import type { Clock } from "../../contract/clock.ts";
import type { AskedCall, GatewayErrorKind } from "../wires/wire.ts";
import type { ReadCall } from "./call-context.ts";
import { sendError } from "./send-error.ts";
import { shownPath } from "./shown-path.ts";

/** Why a call is not made at all. */
export interface Rejection {
  readonly kind: GatewayErrorKind;
  readonly reason: string;
  /** Absent when the body could not be read. */
  readonly asked: AskedCall | undefined;
}

/** Answers a call that cannot be made, and writes it down as such. */
export function rejectCall(
  clock: Clock,
  { trial, wire, url, left }: Pick<ReadCall, "trial" | "wire" | "url" | "left">,
  raw: Uint8Array,
  { kind, reason, asked }: Rejection,
  response: ServerResponse,
): void {
  const notSent = unknown("the call was not sent");
  const model = asked?.model ?? "";
  sendError(response, wire.error(kind, reason));
  trial.noteRejected(reason);
  trial.log.append({
    seq: trial.nextSeq(),
    at: clock.now(),
    wire: wire.name,
    path: shownPath(url),
    upstream: notSent,
    asked: model,
    sent: model,
    served: notSent,
    asAsked: true,
    stream: asked?.stream ?? false,
    effort: asked?.effort ?? unknown("the request could not be read"),
    effortSent: asked?.effortWords ?? null,
    outcome: { kind: "rejected", reason },
    usage: notSent,
    costUsd: { known: true, value: 0 },
    priceSource: "none",
    providerCostUsd: notSent,
    retries: [],
    waitedMs: 0,
    firstByteMs: notSent,
    wallMs: 0,
    clientLeft: left.aborted,
    shape: asked?.shape ?? { model, stream: false, turns: [], tools: [] },
    answerType: "application/json",
    request: trial.log.keep(raw),
    response: notSent,
  });
}
