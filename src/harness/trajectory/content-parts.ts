import { listAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { DraftPart } from "./stream-event.ts";

/**
 * Parts of a text, or of a list of blocks as MCP, Anthropic and pi write them. A block of another kind is kept as its JSON.
 */
export function contentParts(content: JsonValue | undefined): readonly DraftPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [{ type: "text", text: JSON.stringify(content) }];
  return listAt(content).map((block): DraftPart => {
    const text = textAt(block, "text");
    if (text !== undefined) return { type: "text", text };
    const data = textAt(block, "data") ?? textAt(block, "source", "data");
    if (textAt(block, "type") === "image" && data !== undefined) {
      const mediaType = textAt(block, "mimeType") ?? textAt(block, "source", "media_type") ?? "image/png";
      return { type: "image", mediaType, data };
    }
    return { type: "text", text: JSON.stringify(block) };
  });
}

/** An image from a `data:` address; `undefined` for any other. */
export function imageOfDataUrl(url: string): DraftPart | undefined {
  const match = /^data:([^;,]{1,100})(?:;[^,;]{1,100})*;base64,/.exec(url);
  if (match === null) return undefined;
  return { type: "image", mediaType: match[1] ?? "", data: url.slice(match[0].length) };
}
