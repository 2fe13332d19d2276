import type { HarnessLog, JsonPointer, LogRule, LogTelling } from "../../contract/harness-file.ts";
import { listAt, numberAt, parseJson, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { addUsage } from "../../contract/usage.ts";
import { claimedUsage } from "../trajectory/claimed-usage.ts";
import { classifyFailure } from "../trajectory/classify-failure.ts";
import { contentParts } from "../trajectory/content-parts.ts";
import { createStreamReader } from "../trajectory/create-stream-reader.ts";
import type { StreamEvent } from "../trajectory/stream-event.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";
import { noteSession, type StreamState } from "../trajectory/stream-state.ts";
import { valueAtPointer } from "./value-at-pointer.ts";

/** A reader from a declared mapping. What the mapping does not find in an event is kept as that event. */
export function readMappedStream(log: HarnessLog): StreamReader {
  if (log.format === "text") {
    return createStreamReader({
      take: (event) => [{ kind: "other", event }],
      text: (line) => [{ kind: "text", text: `${line}\n`, delta: true }],
      silentEnd: () => true,
    });
  }
  return createStreamReader({
    take(event, state) {
      const rules = log.rules.filter((rule) => holds(rule, event));
      const told = rules.flatMap((rule) => {
        const places = rule.each === undefined ? [event] : listAt(valueAtPointer(event, rule.each));
        return places.flatMap((place) => rule.tells.map((telling) => tell(telling, place, state)));
      });
      const found = told.flatMap((item) => (item === "nothing" ? [] : item));
      // A rule that found nothing it looks for says nothing of the event, so it is not lost.
      const missed = told.length === 0 || told.some((item) => item.length === 0);
      return missed ? [...found, { kind: "other", event }] : found;
    },
    ...(log.exit_zero_completes ? { silentEnd: () => true } : {}),
  });
}

function holds(rule: LogRule, event: JsonValue): boolean {
  return Object.entries(rule.when).every(([pointer, wanted]) => {
    const found = valueAtPointer(event, pointer);
    return [wanted].flat().some((value) => value === found);
  });
}

/** The events; none where something is missing; `nothing` where the event is known to have no place in a step. */
function tell(telling: LogTelling, event: JsonValue, state: StreamState): readonly StreamEvent[] | "nothing" {
  const text = (pointer: JsonPointer | undefined): string | undefined =>
    textAt(valueAtPointer(event, pointer));
  switch (telling.tell) {
    case "nothing":
      return "nothing";
    case "message": {
      const content = valueAtPointer(event, telling.content);
      if (content === undefined) return [];
      return [{ kind: "message", source: telling.role, content: contentParts(content) }];
    }
    case "text":
    case "reasoning": {
      const said = text(telling.text);
      if (said === undefined) return [];
      const delta = telling.delta === true ? { delta: true } : {};
      return [
        { kind: telling.tell, text: said, ...delta, ...placeOf(text(telling.group), text(telling.model)) },
      ];
    }
    case "call": {
      const id = text(telling.id);
      const name = text(telling.name);
      if (id === undefined || id === "" || name === undefined) return [];
      const input = valueAtPointer(event, telling.arguments) ?? {};
      const parsed = typeof input === "string" ? (parseJson(input) ?? input) : input;
      return [
        { kind: "call", id, name, arguments: parsed, ...placeOf(text(telling.group), text(telling.model)) },
      ];
    }
    case "result":
      return tellResult(telling, event);
    case "usage":
      return noteUsage(telling, event, state);
    default:
      return noteWhole(telling, event, state);
  }
}

function tellResult(
  telling: Extract<LogTelling, { readonly tell: "result" }>,
  event: JsonValue,
): readonly StreamEvent[] {
  const call = textAt(valueAtPointer(event, telling.call));
  if (call === undefined) return [];
  const exitCode = numberAt(valueAtPointer(event, telling.exit_code));
  const failed =
    telling.failed === undefined
      ? telling.succeeded === undefined
        ? undefined
        : valueAtPointer(event, telling.succeeded) !== true
      : valueAtPointer(event, telling.failed) === true;
  return [
    {
      kind: "result",
      call,
      content: contentParts(valueAtPointer(event, telling.content)),
      ...(failed === undefined ? {} : { failed }),
      ...(exitCode === undefined ? {} : { exitCode }),
    },
  ];
}

function noteUsage(
  telling: Extract<LogTelling, { readonly tell: "usage" }>,
  event: JsonValue,
  state: StreamState,
): readonly StreamEvent[] | "nothing" {
  const counts = {
    input: valueAtPointer(event, telling.input) ?? 0,
    cached: valueAtPointer(event, telling.cached) ?? 0,
    cacheWrite: valueAtPointer(event, telling.cache_write) ?? 0,
    output: valueAtPointer(event, telling.output) ?? 0,
    reasoning: valueAtPointer(event, telling.reasoning) ?? 0,
  };
  const usage = claimedUsage(counts, telling.total ? (state.usage?.calls ?? 1) : 1, {
    names: {
      input: ["input"],
      cached: ["cached"],
      cacheWrite: ["cacheWrite"],
      output: ["output"],
      reasoning: ["reasoning"],
    },
    inputIncludesCached: telling.input_includes_cached,
  });
  state.usage = telling.total ? usage : addUsage(state.usage, usage);
  const cost = numberAt(valueAtPointer(event, telling.cost_usd));
  if (cost !== undefined && cost >= 0) state.costUsd = (telling.total ? 0 : (state.costUsd ?? 0)) + cost;
  if (telling.total) return "nothing";
  const metrics = {
    prompt_tokens: usage.input,
    cached_tokens: usage.cached,
    completion_tokens: usage.output,
  };
  return [{ kind: "metrics", metrics }];
}

/** What tells of the whole and not of a step: it gives no event, so that the line is kept as it is. */
function noteWhole(
  telling: Extract<LogTelling, { readonly tell: "session" | "completed" | "failed" }>,
  event: JsonValue,
  state: StreamState,
): readonly [] {
  const text = (pointer: JsonPointer | undefined): string | undefined =>
    textAt(valueAtPointer(event, pointer));
  if (telling.tell === "session") {
    noteSession(state, text(telling.id));
    const version = text(telling.version);
    const model = text(telling.model);
    if (version !== undefined) state.version = version;
    if (model !== undefined) state.models.add(model);
  } else if (telling.tell === "completed") {
    const final = text(telling.final_message);
    if (final !== undefined) state.finalMessage = final;
    state.ending = { kind: "completed" };
  } else {
    const message = text(telling.message) ?? "it reports a failure";
    const status = numberAt(valueAtPointer(event, telling.status));
    const ending = { kind: "error", error: classifyFailure(message, status), message } as const;
    if (telling.fatal) state.ending = ending;
    else state.trouble = ending;
  }
  return [];
}

function placeOf(
  group: string | undefined,
  model: string | undefined,
): { readonly group?: string; readonly model?: string } {
  return { ...(group === undefined ? {} : { group }), ...(model === undefined ? {} : { model }) };
}
