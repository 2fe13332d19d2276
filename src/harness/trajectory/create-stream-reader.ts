import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { isDeeplyNested } from "../../contract/is-deeply-nested.ts";
import { parseJson } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { StreamEvent } from "./stream-event.ts";
import type { ProcessEnd, StreamEnding, StreamReader } from "./stream-reader.ts";
import type { StreamDialect, StreamState } from "./stream-state.ts";

/** Of the noise, so much is kept in the trajectory; the harness's log has all of it. */
const keptNoiseCharacters = 64 * 1024;
const keptMessageCharacters = 1024 * 1024;

/** A reader for one stream, from what is particular to the harness. */
export function createStreamReader(dialect: StreamDialect): StreamReader {
  const state: StreamState = { models: new Set() };
  const noise = { lines: 0, bytes: 0 };
  const last = createLastText();
  let events = 0;
  let toolCalls = 0;
  let images = 0;
  let imagesLeftOut = 0;
  let room = keptNoiseCharacters;

  function takeNoise(line: string): readonly StreamEvent[] {
    noise.lines += 1;
    noise.bytes += Buffer.byteLength(line);
    if (room <= 0) return [];
    const kept = line.slice(0, Math.min(room, 4096));
    room -= kept.length;
    return [{ kind: "other", event: { noise: kept, ...(kept === line ? {} : { characters: line.length }) } }];
  }

  function takeLine(line: string): readonly StreamEvent[] {
    if (dialect.text !== undefined) {
      if (line.trim() !== "") events += 1;
      return dialect.text(line);
    }
    if (line.trim() === "" || dialect.skips?.(line) === true) return [];
    const event = !/^\s*\{/.test(line) || isDeeplyNested(line) ? undefined : parseJson(line);
    if (!isObject(event)) return takeNoise(line);
    events += 1;
    return dialect.take(event, state);
  }

  return {
    read(line) {
      const told = takeLine(line);
      for (const event of told) {
        last.take(event);
        if ("model" in event && event.model !== undefined) state.models.add(event.model);
        if (event.kind === "call") toolCalls += 1;
        if (event.kind !== "result" && event.kind !== "message") continue;
        images += event.content.filter((part) => part.type === "image").length;
        if (event.kind === "result") imagesLeftOut += event.imagesLeftOut ?? 0;
      }
      return told;
    },
    conclude: (end) => ({
      ending: endingOf(dialect, state, end, events),
      usage: maybe(state.usage, "the stream gives no total of the tokens"),
      costUsd: maybe(finite(state.costUsd), "the stream gives no cost"),
      finalMessage: maybe(state.finalMessage ?? last.text(), "it said nothing"),
      models: [...state.models],
      sessionId: maybe(state.sessionId, "the stream names no session"),
      version: maybe(state.version, "the stream does not tell its program's version"),
      toolCalls,
      images,
      imagesLeftOut,
      noise: { ...noise },
    }),
  };
}

function endingOf(dialect: StreamDialect, state: StreamState, end: ProcessEnd, events: number): StreamEnding {
  if (state.ending?.kind === "error") return state.ending;
  if (end.kind === "killed" && state.ending === undefined) {
    return state.trouble ?? { kind: "error", error: "killed", message: end.reason };
  }
  const failed = end.kind === "exited" && end.code !== 0;
  if (state.ending !== undefined) {
    if (!failed) return state.ending;
    return { kind: "error", error: "other", message: `it says it is done, but exited with ${end.code}` };
  }
  if (state.trouble !== undefined) return state.trouble;
  if (failed && events > 0) return { kind: "error", error: "other", message: `it exited with ${end.code}` };
  if (!failed && events > 0 && dialect.silentEnd?.(state) === true) return { kind: "completed" };
  const message = events === 0 ? "nothing it printed can be read" : "its stream stops before its end";
  return { kind: "error", error: "garbage", message };
}

/** The agent's last text, for streams that do not name a final message. */
function createLastText(): { take(event: StreamEvent): void; text(): string | undefined } {
  let held: string | undefined;
  let group: string | undefined;
  let open = false;
  return {
    take(event) {
      if (event.kind === "call" || event.kind === "result" || event.kind === "message") open = false;
      if (event.kind !== "text" || event.subagent !== undefined || event.text === "") return;
      const continues =
        open &&
        held !== undefined &&
        (event.delta === true || (event.group !== undefined && event.group === group));
      held = continues ? `${held}${event.delta === true ? "" : "\n\n"}${event.text}` : event.text;
      if (held.length > 2 * keptMessageCharacters) held = held.slice(-keptMessageCharacters);
      group = event.group;
      open = true;
    },
    text: () => held?.trim(),
  };
}

function maybe<T>(value: T | undefined, reason: string): Maybe<T> {
  return value === undefined || value === "" ? unknown(reason) : known(value);
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sums of absurd figures can leave the numbers that can be written. */
function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
