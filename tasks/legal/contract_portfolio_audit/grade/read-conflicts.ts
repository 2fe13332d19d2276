import { bad, ok, type Read } from "ale/grade/rubric/read";
import { readJson } from "ale/grade/rubric/read-artifact";
import type { Conflict } from "../register.ts";

/** The list of conflicts as handed in; bad when it is not a list of entries of the stated form. */
export async function readConflicts(artifacts: string): Promise<Read<readonly Conflict[]>> {
  const read = await readJson(artifacts, "conflicts.json", { maxBytes: 1_000_000 });
  if (read.kind === "bad") return read;
  const value: unknown = read.value;
  if (!Array.isArray(value) || value.length > 2000) return bad("conflicts.json is no list of conflicts.");
  const broken = value.findIndex((entry) => !isConflict(entry));
  if (broken >= 0)
    return bad(`Entry ${broken + 1} of conflicts.json has not the keys and values that were asked for.`);
  return ok(value as readonly Conflict[]);
}

function isConflict(entry: unknown): boolean {
  if (!hasKeys(entry, ["type", "clauses"])) return false;
  const { type, clauses } = entry;
  return (
    typeof type === "string" &&
    Array.isArray(clauses) &&
    clauses.length === 2 &&
    clauses.every(
      (item) =>
        hasKeys(item, ["document", "clause"]) &&
        typeof item["document"] === "string" &&
        typeof item["clause"] === "string",
    )
  );
}

function hasKeys(value: unknown, keys: readonly string[]): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const own = Object.keys(value);
  return own.length === keys.length && keys.every((key) => own.includes(key));
}
