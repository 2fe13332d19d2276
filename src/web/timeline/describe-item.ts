import type { JsonValue } from "../../contract/json-value.ts";
import type { ItemFile } from "../../server/api/trial-view.ts";
import { actionWords } from "./action-words.ts";

/** A part of an item to be shown below its head. */
export type ItemPart =
  | { readonly kind: "text" | "output"; readonly label: string; readonly text: string }
  | { readonly kind: "json"; readonly label: string; readonly value: JsonValue }
  /** Relative to the attempt's folder. */
  | { readonly kind: "image"; readonly label: string; readonly path: string };

/** An event, step or model call as the timeline shows it. */
export interface ItemView {
  /** What it is, in a word: colours the mark. */
  readonly type: string;
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly at?: number;
  /** Something went wrong in it. */
  readonly failed: boolean;
  readonly parts: readonly ItemPart[];
}

type Fields = { readonly [key: string]: JsonValue };

/** Describes one item of any kind of file. What is not known is shown as JSON: nothing is left out. */
export function describeItem(kind: ItemFile["kind"], value: JsonValue): ItemView {
  const fields = fieldsOf(value);
  if (fields === undefined) return unknownItem(value);
  if (kind === "steps") return describeStep(fields);
  if (kind === "events") return describeEvent(fields);
  if (kind === "actions") return describeAction(fields);
  return describeCall(fields);
}

/** An action on a screen, with the pictures it names: before and after, under the names that its record gives them. */
function describeAction(action: Fields): ItemView {
  const name = firstText(action, ["action", "kind", "type", "tool", "name"]) ?? "action";
  const pictures = Object.entries(action).flatMap(([key, value]) =>
    imageParts(value).map((part) => ({ ...part, label: key })),
  );
  const shown = Object.entries(action).flatMap(([key, value]) => (imageParts(value).length > 0 ? [key] : []));
  return {
    type: "action",
    title: name,
    ...timeOf(action),
    failed: action["ok"] === false || typeof action["error"] === "string",
    parts: [...pictures, ...rest(action, ["seq", "at", ...shown])],
  };
}

/** A line of `calls.jsonl`. */
function describeCall(call: Fields): ItemView {
  const outcome = fieldsOf(call["outcome"]) ?? {};
  const kind = textOf(outcome["kind"]);
  const model = firstText(call, ["asked", "sent"]) ?? "";
  const served = fieldsOf(call["served"]);
  const other = call["asAsked"] === false ? ` → ${textOf(served?.["value"])}` : "";
  const why = firstText(outcome, ["reason", "message", "limit"]);
  return {
    type: "call",
    title: `${model}${other} · ${kind}${kind === "answered" ? ` (${milliseconds(call["wallMs"])})` : ""}`,
    ...timeOf(call),
    failed: kind !== "answered" || call["asAsked"] === false,
    parts: [...textPart("", why), ...rest(call, ["at", "seq", "asked"])],
  };
}

function describeEvent(event: Fields): ItemView {
  const type = textOf(event["type"]);
  const time = timeOf(event);
  const plain = { type, ...time, failed: false, parts: [] };
  switch (type) {
    case "attempt-started":
      return { ...plain, title: `${textOf(event["contestant"])} · ${textOf(event["instance"])}` };
    case "phase-started":
      return { ...plain, title: `${textOf(event["phase"])} …` };
    case "phase-ended": {
      const outcome = textOf(event["outcome"]);
      const parts = textPart("", event["message"]);
      return {
        ...plain,
        title: `${textOf(event["phase"])}: ${outcome} (${milliseconds(event["wallMs"])})`,
        failed: outcome !== "ok" && outcome !== "skipped",
        parts,
      };
    }
    case "command": {
      const argv = Array.isArray(event["argv"]) ? event["argv"].map(textOf) : [];
      const exit = textOf(event["exit"]);
      return {
        ...plain,
        title: `${argv[0] ?? ""} · exit ${exit} (${milliseconds(event["wallMs"])})`,
        failed: exit !== "0",
        parts: [{ kind: "output", label: textOf(event["phase"]), text: argv.join(" ") }],
      };
    }
    case "agent":
      return { ...plain, ...describeAgent(textOf(event["kind"]), event["data"] ?? null) };
    case "quiesced":
      return { ...plain, title: "quiesced", parts: rest(event, ["type", "seq", "at"]) };
    case "artifact": {
      const artifact = fieldsOf(event["artifact"] ?? null) ?? {};
      const state = textOf(artifact["state"]);
      return {
        ...plain,
        title: `${textOf(artifact["path"])}: ${state}`,
        failed: state !== "taken",
        parts: rest(artifact, ["path", "state"]),
      };
    }
    case "note":
      return {
        ...plain,
        title: textOf(event["code"]),
        parts: [
          ...textPart("", event["message"]),
          ...(event["data"] === undefined ? [] : [json("data", event["data"])]),
        ],
      };
    case "attempt-ended": {
      const status = textOf(event["status"]);
      return {
        ...plain,
        title: status,
        failed: status !== "completed",
        parts: textPart("", event["reason"]),
      };
    }
    default:
      return { ...unknownItem(event), ...time };
  }
}

/** A harness's own event: words and names that are commonly there come first, the rest as it is. */
function describeAgent(kind: string, data: JsonValue): Pick<ItemView, "title" | "failed" | "parts"> {
  const fields = fieldsOf(data);
  if (fields === undefined) {
    return {
      title: kind,
      failed: false,
      parts: typeof data === "string" ? textPart("", data) : [json("", data)],
    };
  }
  const done = fieldsOf(fields["action"]);
  const name = firstText(fields, ["tool", "name", "function_name", "command"]);
  const text = done === undefined ? firstText(fields, ["text", "message", "content"]) : actionWords(done);
  const shown = ["tool", "name", "function_name", "text", "message", "content"].filter(
    (key) => typeof fields[key] === "string",
  );
  return {
    title: name === undefined ? kind : `${kind} · ${name}`,
    failed: fields["is_error"] === true || fields["failed"] === true || typeof fields["failure"] === "string",
    parts: [...textPart("", text), ...imageParts(data), ...rest(fields, shown)],
  };
}

/** A step of an ATIF trajectory. */
function describeStep(step: Fields): ItemView {
  const source = textOf(step["source"]);
  const calls = listOf(step["tool_calls"]);
  const names = calls.map((call) => textOf(call["function_name"]));
  const results = listOf(fieldsOf(step["observation"] ?? null)?.["results"]);
  const message = contentParts("", step["message"]);
  const [first] = message;
  const title =
    names.length > 0
      ? names.join(", ")
      : first?.kind === "text"
        ? firstLine(first.text)
        : `${source} ${textOf(step["step_id"])}`;
  return {
    type: names.length > 0 ? "tool" : source,
    title,
    ...timeOf(step),
    failed: results.some(hasFailed),
    parts: [
      ...textPart("reasoning", step["reasoning_content"]),
      ...message,
      ...calls.map((call) => json(textOf(call["function_name"]), call["arguments"] ?? null)),
      ...results.flatMap((result) => contentParts("output", result["content"])),
      ...(step["metrics"] === undefined ? [] : [json("metrics", step["metrics"])]),
      ...(step["extra"] === undefined ? [] : [json("extra", step["extra"])]),
    ],
  };
}

/** As our writer marks it, or as other writers of the format do. */
function hasFailed(result: Fields): boolean {
  const extra = fieldsOf(result["extra"]);
  const own = fieldsOf(extra?.["ale"]);
  const exit = own?.["exit_code"];
  return (
    own?.["is_error"] === true || extra?.["is_error"] === true || (typeof exit === "number" && exit !== 0)
  );
}

function contentParts(label: string, content: JsonValue | undefined): readonly ItemPart[] {
  const kind = label === "output" ? "output" : "text";
  if (typeof content === "string") return content === "" ? [] : [{ kind, label, text: content }];
  return listOf(content).flatMap((part): readonly ItemPart[] => {
    if (part["type"] === "text") return [{ kind, label, text: textOf(part["text"]) }];
    const path = fieldsOf(part["source"] ?? null)?.["path"];
    return typeof path === "string" ? [{ kind: "image", label, path }] : [json(label, part)];
  });
}

/** Images that a value names by path, wherever in it. */
function imageParts(value: JsonValue): readonly ItemPart[] {
  if (typeof value === "string") {
    return /^(screenshots|images)\/[^\s]+\.(png|jpe?g|webp|gif)$/.test(value)
      ? [{ kind: "image", label: "", path: value }]
      : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(imageParts);
}

function unknownItem(value: JsonValue): ItemView {
  return { type: "other", title: "", failed: false, parts: [json("", value)] };
}

function rest(fields: Fields, shown: readonly string[]): readonly ItemPart[] {
  const left = Object.entries(fields).filter(([key]) => !shown.includes(key));
  return left.length === 0 ? [] : [json("", Object.fromEntries(left))];
}

function json(label: string, value: JsonValue): ItemPart {
  return { kind: "json", label, value };
}

function textPart(label: string, value: JsonValue | undefined): readonly ItemPart[] {
  return typeof value === "string" && value !== "" ? [{ kind: "text", label, text: value }] : [];
}

function timeOf(fields: Fields): { readonly at?: number } {
  const { at, timestamp } = fields;
  if (typeof at === "number") return { at };
  const parsed = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(parsed) ? {} : { at: parsed };
}

function fieldsOf(value: JsonValue | undefined): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function listOf(value: JsonValue | undefined): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).map(fieldsOf).filter((fields) => fields !== undefined);
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  return keys
    .map((key) => fields[key])
    .find((value): value is string => typeof value === "string" && value !== "");
}

function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function milliseconds(value: JsonValue | undefined): string {
  return typeof value === "number" ? `${(value / 1000).toFixed(1)} s` : "";
}
