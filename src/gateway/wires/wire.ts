import type { Maybe } from "../../contract/absence.ts";
import type { Effort } from "../../contract/contestant.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { CallShape } from "../../contract/model-call.ts";
import type { ModelSpec, UpstreamAuthentication } from "../../contract/models-file.ts";
import type { Usage } from "../../contract/usage.ts";
import type { WireName } from "../../contract/wire.ts";

/** What a path asks for. `count` is a question about tokens: free, and not a model call. */
export interface WireRoute {
  readonly kind: "answer" | "count";
  /** Below the upstream's base URL; `{model}` stands for the model where the path names it. */
  readonly path: string;
  /** Where the path names them. */
  readonly model?: string;
  readonly stream?: boolean;
}

export interface AskedCall {
  readonly model: string;
  readonly stream: boolean;
  /** As the request says it, on the common scale. */
  readonly effort: Maybe<Effort>;
  /** In the provider's own words; `null` when it says nothing. */
  readonly effortWords: JsonValue;
  readonly shape: CallShape;
}

/** What an answer has said so far. */
export interface AnswerFacts {
  readonly served: string | undefined;
  /** Absent until the provider has given numbers. */
  readonly usage: Usage | undefined;
  /** The provider's or model's words for declining. */
  readonly refusal: string | undefined;
  /** The provider's word for why it stopped. */
  readonly stop: string | undefined;
  /** An error told inside an answer that began well. */
  readonly error: string | undefined;
  readonly providerCostUsd: number | undefined;
  /** The answer has said that it is complete. */
  readonly complete: boolean;
}

/** Reads an answer as it passes: each event of a stream, or the whole document. Never throws. */
export interface AnswerMeter {
  read(data: JsonValue): void;
  facts(): AnswerFacts;
}

/** Why the gateway itself answers with an error. */
export type GatewayErrorKind =
  | "unauthorised"
  | "unknown-model"
  | "invalid"
  | "limit"
  | "unavailable"
  | "diverged";

/** One protocol, from the gateway's side. */
export interface Wire {
  readonly name: WireName;
  readonly authentication: UpstreamAuthentication;
  route(method: string, path: string): WireRoute | undefined;
  asked(body: JsonValue, route: WireRoute): AskedCall;
  /** The body with the model's other name. */
  withModel(body: JsonValue, model: string): JsonValue;
  /** The body with an effort, as this model takes it; `undefined` when it cannot be said. */
  withEffort(body: JsonValue, effort: Effort, model: ModelSpec): JsonValue | undefined;
  createMeter(): AnswerMeter;
  /** The provider's own form of such an error. */
  error(kind: GatewayErrorKind, message: string): { readonly status: number; readonly body: JsonValue };
}
