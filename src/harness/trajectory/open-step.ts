import type { JsonValue } from "../../contract/json-value.ts";
import type { StepMetrics, TrajectoryToolCall } from "../../contract/trajectory-step.ts";
import type { DraftResult, DraftStep } from "./draft-step.ts";
import type { DraftPart, StreamEvent } from "./stream-event.ts";

type AgentEvent = Extract<StreamEvent, { readonly kind: "text" | "reasoning" | "call" | "metrics" }>;

/** A step of the agent that is being gathered. */
export interface OpenStep {
  readonly group: string | undefined;
  readonly subagent: string | undefined;
  /** Roughly how much it holds. */
  readonly characters: number;
  readonly hasCalls: boolean;
  readonly hasText: boolean;
  /** Every call has its result. */
  readonly answered: boolean;
  has(call: string): boolean;
  awaits(call: string): boolean;
  /** False when a call of the same id is already there. */
  take(event: AgentEvent): boolean;
  answer(result: Extract<StreamEvent, { readonly kind: "result" }>): void;
  keep(events: readonly JsonValue[]): void;
  finish(): DraftStep;
}

export function createOpenStep(at: number, first: AgentEvent): OpenStep {
  const calls = new Map<string, TrajectoryToolCall>();
  const results = new Map<string, DraftResult>();
  const kept: JsonValue[] = [];
  let text = "";
  let reasoning = "";
  let model = first.model;
  let metrics: StepMetrics | undefined;
  let characters = 0;

  return {
    group: first.group,
    subagent: first.subagent,
    get characters() {
      return characters;
    },
    get hasCalls() {
      return calls.size > 0;
    },
    get hasText() {
      return text !== "";
    },
    get answered() {
      return results.size === calls.size;
    },
    has: (call) => calls.has(call),
    awaits: (call) => calls.has(call) && !results.has(call),
    take(event) {
      model ??= event.model;
      if (event.kind === "text") text = joined(text, event.text, event.delta === true);
      else if (event.kind === "reasoning") reasoning = joined(reasoning, event.text, event.delta === true);
      else if (event.kind === "metrics") metrics = { ...metrics, ...event.metrics };
      else {
        if (calls.has(event.id)) return false;
        calls.set(event.id, {
          tool_call_id: event.id,
          function_name: event.name === "" ? "unnamed" : event.name,
          arguments: argumentsOf(event.arguments),
        });
        characters += JSON.stringify(event.arguments).length;
      }
      characters += "text" in event ? event.text.length : 0;
      return true;
    },
    answer(result) {
      const facts = {
        ...(result.failed === undefined ? {} : { is_error: result.failed }),
        ...(result.exitCode === undefined ? {} : { exit_code: result.exitCode }),
        ...(result.imagesLeftOut === undefined ? {} : { images_left_out: result.imagesLeftOut }),
      };
      results.set(result.call, {
        source_call_id: result.call,
        content: result.content,
        ...(Object.keys(facts).length === 0 ? {} : { extra: { ale: facts } }),
      });
      for (const part of result.content) {
        characters += part.type === "text" ? part.text.length : part.data.length;
      }
    },
    keep(events) {
      kept.push(...events);
    },
    finish() {
      const ale = {
        ...(first.subagent === undefined ? {} : { subagent: first.subagent }),
        ...(kept.length === 0 ? {} : { events: kept }),
      };
      const message: readonly DraftPart[] = [{ type: "text", text }];
      return {
        at,
        source: "agent",
        message,
        results: [...results.values()],
        ...(model === undefined ? {} : { model_name: model }),
        ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
        ...(calls.size === 0 ? {} : { tool_calls: [...calls.values()] }),
        ...(metrics === undefined ? {} : { metrics }),
        ...(Object.keys(ale).length === 0 ? {} : { extra: { ale } }),
      };
    },
  };
}

function joined(before: string, text: string, delta: boolean): string {
  return before === "" || text === "" || delta ? before + text : `${before}\n\n${text}`;
}

function argumentsOf(value: JsonValue): { readonly [key: string]: JsonValue } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as { readonly [key: string]: JsonValue };
  }
  return { value };
}
