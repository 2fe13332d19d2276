import type { JsonValue } from "../../contract/json-value.ts";

/** What an action on a screen was done with, in a line: `640, 400 left`, `ctrl+s`, the text that was typed. */
export function actionWords(action: { readonly [key: string]: JsonValue }): string {
  return Object.entries(action)
    .flatMap(([key, value]) => {
      if (key === "kind" || (key === "times" && value === 1)) return [];
      if (typeof value === "string") return [value];
      const place = placeText(value);
      if (place !== undefined) return [place];
      if (Array.isArray(value)) return [value.map((one) => placeText(one) ?? wordsOf(one)).join(" → ")];
      return [`${key} ${wordsOf(value)}`];
    })
    .join(" ");
}

function placeText(value: JsonValue): string | undefined {
  if (typeof value !== "object" || value === null || !("x" in value) || !("y" in value)) return undefined;
  return `${String(value["x"])}, ${String(value["y"])}`;
}

function wordsOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
