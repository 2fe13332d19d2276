import type { JsonValue } from "../../../contract/json-value.ts";
import type { Usage } from "../../../contract/usage.ts";
import type { WireName } from "../../../contract/wire.ts";
import type { ScriptToolCall, ScriptTurn } from "../script.ts";

/** What a path asks for. */
export interface ScriptRoute {
  readonly kind: "answer" | "count";
  /** Where the path names them. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** An answer with everything decided, to be put in a wire's words. */
export interface ScriptedAnswer {
  /** Unique among the server's answers; ids are made of it. */
  readonly serial: number;
  /** Seconds since the Unix epoch. */
  readonly created: number;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ScriptToolCall[];
  readonly refused: boolean;
  readonly usage: Usage;
  /** A stream was asked to tell its usage. */
  readonly tellUsage: boolean;
}

/** One protocol, spoken from the model's side. */
export interface ScriptWire {
  readonly name: WireName;
  route(method: string, url: URL): ScriptRoute | undefined;
  read(
    body: JsonValue,
    route: ScriptRoute,
  ): Omit<ScriptTurn, "index" | "wire"> & { readonly tellUsage: boolean };
  whole(answer: ScriptedAnswer): JsonValue;
  /** The same as server-sent events, each with its blank line. */
  events(answer: ScriptedAnswer): readonly string[];
  error(status: number, message: string): JsonValue;
  count(tokens: number): JsonValue;
}

/** A server-sent event. */
export function serverEvent(data: JsonValue, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The text in pieces as a model would give it out, a word each. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);
}

/** The text in at most 200 pieces, of 20 characters or more. */
export function pieces(text: string): readonly string[] {
  const size = Math.max(20, Math.ceil(text.length / 200));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
