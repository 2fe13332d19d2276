import { fieldAt, listAt, objectAt, parseJson } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { withFields } from "../replace-fields.ts";

/** True for a stream whose usage nobody asked for, and which would so go unmetered. */
export function lacksUsage(body: JsonValue): boolean {
  return fieldAt(body, "stream") === true && fieldAt(body, "stream_options", "include_usage") !== true;
}

/** The same request, with usage asked for. */
export function withUsage(body: JsonValue): JsonValue {
  const options = withFields(fieldAt(body, "stream_options"), { include_usage: true });
  return withFields(body, { stream_options: options });
}

/** True for the chunk that is only there because {@link withUsage} asked for it: the client must not see it. */
export function isUsageChunk(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  const chunk = parseJson(data);
  return objectAt(chunk, "usage") !== undefined && listAt(chunk, "choices").length === 0;
}
