import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";
import type { WireName } from "../../contract/wire.ts";
import type { ScriptStep, ScriptTurn } from "./script.ts";

/** What was asked, and what was done about it. */
export interface ScriptedCall {
  readonly wire: WireName;
  readonly kind: "answer" | "count";
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: JsonValue;
  readonly turn: ScriptTurn;
  readonly step: ScriptStep;
  /** The usage that an answer in full says; `undefined` for everything else. */
  readonly usage: Usage | undefined;
}
