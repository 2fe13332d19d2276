import type { JsonValue } from "../../contract/json-value.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** How much structure is taken from an artifact. */
export interface StructureLimits {
  /** Nesting of lists and objects, default 100. */
  readonly maxDepth?: number;
  /** Values of every kind together, default 1,000,000. */
  readonly maxNodes?: number;
}

interface Pending {
  readonly source: object;
  readonly depth: number;
  readonly target: JsonValue[] | Record<string, JsonValue>;
}

/**
 * Copies a parsed tree into plain values without prototypes, or says which limit it breaks. Walks without
 * recursion; a value shared by several parents (a YAML alias) counts, and is copied, once for each.
 */
export function checkShape(root: unknown, name: string, limits: StructureLimits): Read<JsonValue> {
  const maxDepth = limits.maxDepth ?? 100;
  const maxNodes = limits.maxNodes ?? 1_000_000;
  const pending: Pending[] = [];
  let nodes = 0;

  function place(value: unknown, depth: number): JsonValue | undefined {
    nodes++;
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
    if (typeof value === "bigint") return value.toString();
    if (typeof value !== "object") return undefined;
    const target = Array.isArray(value) ? [] : (Object.create(null) as Record<string, JsonValue>);
    pending.push({ source: value, depth: depth + 1, target });
    return target;
  }

  const result = place(root, 0);
  for (let next = pending.pop(); next !== undefined && result !== undefined; next = pending.pop()) {
    if (next.depth > maxDepth) return bad(`${name} is nested deeper than ${maxDepth} levels.`);
    const { source, target } = next;
    const keys = Array.isArray(source) ? source.keys() : Object.keys(source);
    for (const key of keys) {
      const placed = place((source as Record<string | number, unknown>)[key], next.depth);
      if (placed === undefined) return bad(`${name} holds a value that JSON cannot hold.`);
      if (nodes > maxNodes) return bad(`${name} holds more than ${maxNodes} values.`);
      if (Array.isArray(target)) target.push(placed);
      else target[key] = placed;
    }
  }
  return result === undefined ? bad(`${name} holds a value that JSON cannot hold.`) : ok(result);
}
