import { parseDocument } from "yaml";
import type { JsonValue } from "../../contract/json-value.ts";
import { quote } from "../quote.ts";
import { bad, type Read } from "../rubric/read.ts";
import { checkShape, type StructureLimits } from "./structure-limits.ts";

const maxCharacters = 2_000_000;
const maxAliasExpansions = 1000;

/**
 * One YAML 1.2 document (core schema) of an agent as a plain value, as {@link parseJson} gives it. Dates stay
 * text, unknown tags are dropped, merge keys are ordinary keys, of a repeated key the last counts. Anchors and aliases
 * work, but every alias counts as a copy against `limits`.
 *
 * Bad when it is no YAML, holds several documents, `.nan` or `.inf`, or is nested, expanded or long (over
 * 2,000,000 characters) beyond the limits.
 */
export function parseYaml(text: string, name: string, limits: StructureLimits = {}): Read<JsonValue> {
  if (text.length > maxCharacters) return bad(`${name} is longer than ${maxCharacters} characters.`);
  if (bracketDepth(text) > (limits.maxDepth ?? 100) * 4) return bad(`${name} is nested too deep.`);
  let parsed: unknown;
  try {
    // The checks switched off take time quadratic in a hostile text.
    const document = parseDocument(text, {
      schema: "core",
      merge: false,
      logLevel: "error",
      prettyErrors: false,
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (error !== undefined)
      return bad(`${name} is not YAML: ${quote(error.message.split("\n")[0] ?? "", 120)}.`);
    parsed = document.toJS({ maxAliasCount: maxAliasExpansions });
  } catch (error) {
    // The library throws plain errors for what is too deep, or expands too far.
    return bad(`${name} cannot be read as YAML: ${quote((error as Error).message, 120)}.`);
  }
  return checkShape(parsed, name, limits);
}

/** An upper bound of flow nesting, seen before the recursive parser sees it. */
function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
  }
  return deepest;
}
