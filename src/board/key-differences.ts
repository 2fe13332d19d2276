import type { JsonValue } from "../contract/json-value.ts";
import type { BoardEntry } from "./board-entry.ts";

/** One thing that differs between rows that cannot be ranked together. */
export interface KeyDifference {
  /** `instances`, `task <instance>`, `fingerprint.<path>` or `comparabilityKey <instance>`. */
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
 * other machines. A field of the machine is listed once, however many instances show it.
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
    let explained = first.taskHash !== second.taskHash;
    if (explained) add(`task ${instance}`, first.taskHash, second.taskHash);
    const left = flatten(first.fingerprint);
    const right = flatten(second.fingerprint);
    for (const path of new Set([...left.keys(), ...right.keys()])) {
      const [firstValue = "absent", secondValue = "absent"] = [left.get(path), right.get(path)];
      if (firstValue === secondValue) continue;
      explained = true;
      add(`fingerprint.${path}`, firstValue, secondValue);
    }
    if (!explained) add(`comparabilityKey ${instance}`, first.comparabilityKey, second.comparabilityKey);
  }
  return [...differences.values()];
}

function extra(instances: readonly string[]): string {
  return instances.length === 0 ? "none of its own" : `alone: ${instances.toSorted().join(", ")}`;
}

function flatten(value: JsonValue | undefined, path = ""): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  if (typeof value !== "object" || value === null) return new Map([[path, JSON.stringify(value)]]);
  const leaves = Object.entries(value).map(([key, item]) => [
    ...flatten(item, path === "" ? key : `${path}.${key}`),
  ]);
  return new Map(leaves.flat());
}
