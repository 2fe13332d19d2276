import type { JsonValue } from "../contract/json-value.ts";
import type { BoardEntry, InstanceConditions } from "./board-entry.ts";

/** One thing that differs between rows that cannot be ranked together. */
export interface KeyDifference {
  /** `instances`, `task <instance>`, a field of the key such as `limits.wall_minutes`, or `comparabilityKey <instance>`. */
  readonly field: string;
  /** Contestant of either side. */
  readonly first: string;
  readonly second: string;
  /** What the field is on either side, as text. */
  readonly firstValue: string;
  readonly secondValue: string;
}

/**
 * What makes the keys of two rows differ, field by field: instances only one of them has, task packages of other content,
 * other machines, limits or graders. A field is listed once, however many instances show it. Where a key is not that of
 * its lock, the task's hash and the machine's fingerprint are compared instead.
 */
export function keyDifferences(one: BoardEntry, other: BoardEntry): readonly KeyDifference[] {
  const differences = new Map<string, KeyDifference>();
  const add = (field: string, firstValue: string, secondValue: string): void => {
    if (differences.has(field)) return;
    differences.set(field, {
      field,
      first: one.contestant,
      second: other.contestant,
      firstValue,
      secondValue,
    });
  };
  const onlyOne = [...one.conditions.keys()].filter((instance) => !other.conditions.has(instance));
  const onlyOther = [...other.conditions.keys()].filter((instance) => !one.conditions.has(instance));
  if (onlyOne.length + onlyOther.length > 0) add("instances", extra(onlyOne), extra(onlyOther));

  for (const [instance, first] of one.conditions) {
    const second = other.conditions.get(instance);
    if (second === undefined || first.comparabilityKey === second.comparabilityKey) continue;
    const fields = fieldDifferences(instance, first, second);
    for (const [field, firstValue, secondValue] of fields) add(field, firstValue, secondValue);
    if (fields.length === 0) {
      add(`comparabilityKey ${instance}`, first.comparabilityKey, second.comparabilityKey);
    }
  }
  return [...differences.values()];
}

type FieldDifference = readonly [field: string, first: string, second: string];

function fieldDifferences(
  instance: string,
  first: InstanceConditions,
  second: InstanceConditions,
): readonly FieldDifference[] {
  const differences: FieldDifference[] = [];
  if (first.taskHash !== second.taskHash)
    differences.push([`task ${instance}`, first.taskHash, second.taskHash]);
  const [left, right] = [flatten(machineSide(first, second)), flatten(machineSide(second, first))];
  for (const field of new Set([...left.keys(), ...right.keys()])) {
    const [firstValue = "absent", secondValue = "absent"] = [left.get(field), right.get(field)];
    if (firstValue !== secondValue) differences.push([field, firstValue, secondValue]);
  }
  return differences;
}

/** The fields of the key without the task's content, or the fingerprint where either side has no fields. */
function machineSide(own: InstanceConditions, other: InstanceConditions): JsonValue {
  if (own.comparability === undefined || other.comparability === undefined) {
    return { fingerprint: own.fingerprint ?? "unknown" };
  }
  const { content: _, ...fields } = own.comparability;
  return fields;
}

function extra(instances: readonly string[]): string {
  return instances.length === 0 ? "none of its own" : `alone: ${instances.toSorted().join(", ")}`;
}

function flatten(value: JsonValue, path = ""): ReadonlyMap<string, string> {
  if (typeof value !== "object" || value === null) return new Map([[path, JSON.stringify(value)]]);
  const leaves = Object.entries(value).map(([key, item]) => [
    ...flatten(item, path === "" ? key : `${path}.${key}`),
  ]);
  return new Map(leaves.flat());
}
