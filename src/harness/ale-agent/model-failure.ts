import { APICallError } from "@ai-sdk/provider";

/** Why a call to the model brought no answer. */
export type ModelFailure = {
  readonly message: string;
} & (
  | { readonly kind: "stopped" }
  /** The answer broke off, or cannot be read: worth another try. */
  | { readonly kind: "cut" }
  /** The upstream is not to be had; the gateway has tried again already. */
  | { readonly kind: "upstream" }
  /** A limit of the trial. */
  | { readonly kind: "budget" }
  /** More than the model can take in. */
  | { readonly kind: "too-long" }
  /** The request was turned down for another reason. */
  | { readonly kind: "rejected" }
);

const paymentRequired = 402;
const tooLong =
  /context.{0,20}(length|window|limit)|too (long|many tokens|large)|maximum.{0,20}tokens|exceeds?.{0,30}tokens/i;

/** Tells a failed call's cause from its error, whichever provider's shape it has. */
export function modelFailure(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return { kind: "stopped", message: "ended from outside" };
  if (!APICallError.isInstance(error)) return { kind: "cut", message: messageOf(error) };
  const { statusCode: status, message } = error;
  const told = status === undefined ? message : `${status}: ${message}`;
  // Without a status the connection was lost; with a good one, what came cannot be read.
  if (status === undefined) return { kind: "upstream", message: told };
  if (status < 400) return { kind: "cut", message: told };
  if (status === paymentRequired || /this trial has reached its limit/.test(message)) {
    return { kind: "budget", message: told };
  }
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    return { kind: "upstream", message: told };
  }
  if ((status === 400 || status === 413) && tooLong.test(`${message} ${error.responseBody ?? ""}`)) {
    return { kind: "too-long", message: told };
  }
  return { kind: "rejected", message: told };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : JSON.stringify(error);
}
