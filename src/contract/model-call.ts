import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";
import { digestSchema } from "./artifact.ts";
import { type Effort, effortSchema } from "./contestant.ts";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";
import { maybeUsageSchema, type Usage } from "./usage.ts";
import { type WireName, wireNameSchema } from "./wire.ts";

/** How a call to a model ended. */
export type CallOutcome =
  /** In full; `stop` is the provider's own word for why it stopped. */
  | { readonly kind: "answered"; readonly status: number; readonly stop?: string }
  /** The provider or the model declined: a safety stop, a refusal. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** The upstream's error, after the retries that are made for it. */
  | { readonly kind: "failed"; readonly status: number; readonly message: string }
  /** The answer began but did not come to its end. */
  | { readonly kind: "cut"; readonly message: string }
  /** No answer, after all tries. */
  | { readonly kind: "unreachable"; readonly message: string }
  /** Not sent: the trial is at its limit. */
  | { readonly kind: "limit"; readonly limit: string }
  /** Not sent: no such model, not JSON, the client left while it waited. */
  | { readonly kind: "rejected"; readonly reason: string }
  /** Not in the recording that is replayed. */
  | { readonly kind: "diverged"; readonly message: string };

/** A try that was made again. */
export interface CallRetry {
  /** HTTP status, or the connection's error. */
  readonly reason: string;
  /** Time waited before the next try. */
  readonly waitedMs: number;
}

/** One line of `calls.jsonl`. */
export interface ModelCall {
  /** 1-based, in order of arrival; lines are in order of end. */
  readonly seq: number;
  /** Arrival, milliseconds since the Unix epoch. */
  readonly at: number;
  readonly wire: WireName;
  /** Path and query as asked, without keys. */
  readonly path: string;
  readonly upstream: Maybe<string>;
  /** The model as the harness named it, and as it was sent on. */
  readonly asked: string;
  readonly sent: string;
  /** As the answer names it. */
  readonly served: Maybe<string>;
  /** False when another model answered than was asked for. */
  readonly asAsked: boolean;
  readonly stream: boolean;
  /** What the request said, on the common scale; and in the provider's own words, as sent on. */
  readonly effort: Maybe<Effort>;
  readonly effortSent: JsonValue;
  readonly outcome: CallOutcome;
  readonly usage: Maybe<Usage>;
  readonly costUsd: Maybe<number>;
  /** Where the price is from: `models.yaml` or the library with its version. */
  readonly priceSource: string;
  /** What the provider itself says it charged, where it says so. */
  readonly providerCostUsd: Maybe<number>;
  readonly retries: readonly CallRetry[];
  /** On spacing, retries and tries that gave no answer together. */
  readonly waitedMs: number;
  /** From the last sending to the first byte of the answer. */
  readonly firstByteMs: Maybe<number>;
  /** From arrival to the end of the answer. */
  readonly wallMs: number;
  /** The client went away before the end; the answer was read on for its usage. */
  readonly clientLeft: boolean;
  /** The answer repeated a key of the house, which was overwritten before the client got it. */
  readonly toldKey?: true;
  /** What a replay compares, see {@link CallShape}. */
  readonly shape: CallShape;
  readonly answerType: string;
  /** Digests of the bodies, secrets taken out. */
  readonly request: string;
  readonly response: Maybe<string>;
}

/** What makes two requests the same conversation at the same point, whatever ids and dates they carry. */
export interface CallShape {
  readonly model: string;
  readonly stream: boolean;
  /** Who spoke, in order: `user`, `assistant`, `tool`. */
  readonly turns: readonly string[];
  /** Names of the tools offered, sorted. */
  readonly tools: readonly string[];
}

const status = z.int().min(100).max(599);

export const callOutcomeSchema: z.ZodType<CallOutcome> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answered"), status, stop: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal("refused"), status, reason: z.string() }),
  z.strictObject({ kind: z.literal("failed"), status, message: z.string() }),
  z.strictObject({ kind: z.literal("cut"), message: z.string() }),
  z.strictObject({ kind: z.literal("unreachable"), message: z.string() }),
  z.strictObject({ kind: z.literal("limit"), limit: z.string() }),
  z.strictObject({ kind: z.literal("rejected"), reason: z.string() }),
  z.strictObject({ kind: z.literal("diverged"), message: z.string() }),
]);

export const modelCallSchema: z.ZodType<ModelCall> = z.strictObject({
  seq: z.int().positive(),
  at: z.number().nonnegative(),
  wire: wireNameSchema,
  path: z.string(),
  upstream: maybeSchema(z.string()),
  asked: z.string(),
  sent: z.string(),
  served: maybeSchema(z.string()),
  asAsked: z.boolean(),
  stream: z.boolean(),
  effort: maybeSchema(effortSchema),
  effortSent: jsonValueSchema,
  outcome: callOutcomeSchema,
  usage: maybeUsageSchema,
  costUsd: maybeSchema(z.number().nonnegative()),
  priceSource: z.string(),
  providerCostUsd: maybeSchema(z.number().nonnegative()),
  retries: z.array(z.strictObject({ reason: z.string(), waitedMs: z.number().nonnegative() })),
  waitedMs: z.number().nonnegative(),
  firstByteMs: maybeSchema(z.number().nonnegative()),
  wallMs: z.number().nonnegative(),
  clientLeft: z.boolean(),
  toldKey: z.literal(true).exactOptional(),
  shape: z.strictObject({
    model: z.string(),
    stream: z.boolean(),
    turns: z.array(z.string()),
    tools: z.array(z.string()),
  }),
  answerType: z.string(),
  request: digestSchema,
  response: maybeSchema(digestSchema),
});
