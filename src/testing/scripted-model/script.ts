import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";
import type { WireName } from "../../contract/wire.ts";

/** A tool as the request offers it. */
export interface ScriptTool {
  readonly name: string;
  /** Of OpenAI Responses only. */
  readonly namespace?: string;
  /** JSON Schema of its arguments. */
  readonly schema: JsonValue;
}

/** What a tool gave back. */
export interface ScriptToolResult {
  /** Empty where the wire has no ids. */
  readonly callId: string;
  readonly text: string;
  readonly images: number;
}

/** A request, with one meaning for all wires. */
export interface ScriptTurn {
  /** 0-based number of this request among those for answers. */
  readonly index: number;
  readonly wire: WireName;
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly ScriptTool[];
  /** Everything the tools have given back in this conversation, in order. */
  readonly results: readonly ScriptToolResult[];
  /** What the user said last, in plain text. */
  readonly prompt: string;
  /** All that the user said in this conversation, in plain text. */
  readonly said: string;
}

export interface ScriptToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly arguments: { readonly [key: string]: JsonValue };
}

/** What the scripted model does with a request. */
export type ScriptStep =
  | {
      readonly kind: "answer";
      readonly text?: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly ScriptToolCall[];
      /** Replaces parts of the usage that is sent; `calls` is always 1. */
      readonly usage?: Partial<Usage>;
      /** Answers under another model's name. */
      readonly served?: string;
      /** Time until the answer begins, on the server's clock. */
      readonly afterMs?: number;
      /** Of a stream: time between two events, on the server's clock. */
      readonly eventEveryMs?: number;
      /** Of a stream: breaks the connection after so many events. */
      readonly cutAfter?: number;
    }
  /** The provider's own form of declining. */
  | { readonly kind: "refusal"; readonly text: string }
  /** An error in the provider's own shape. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** Status 200 and half a JSON document; in a stream, an event that is not JSON. */
  | { readonly kind: "malformed" }
  /** Takes the request and never answers. */
  | { readonly kind: "hang" }
  /** Breaks the connection before any answer. */
  | { readonly kind: "drop" };

/** Decides on each request; keeps what state it likes. */
export type Script = (turn: ScriptTurn) => ScriptStep;
