import { readFile } from "node:fs/promises";
import type { z } from "zod";
import type { Finding } from "../contract/finding.ts";
import { orAbsent } from "./file-error.ts";

/** A JSON file of a record: its value, absent, or what is wrong with it. */
export type JsonFile<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "damaged"; readonly finding: Finding };

/** Reads and checks a file against its schema. Damage is data; only a failing disk throws. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<JsonFile<T>> {
  const text = await orAbsent(readFile(path, "utf8"));
  if (text === undefined) return { kind: "absent" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return damaged(path, error instanceof Error ? error.message : String(error));
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: "value", value: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".") ?? "";
  return damaged(path, `${where === "" ? "" : `${where}: `}${issue?.message ?? "does not fit its schema"}`);
}

function damaged(path: string, problem: string): { readonly kind: "damaged"; readonly finding: Finding } {
  return {
    kind: "damaged",
    finding: {
      severity: "error",
      code: "record-damaged",
      message: `${path} cannot be read: ${problem}`,
      remedy: "Restore the file from a copy of the run, or run the trial again.",
      path,
    },
  };
}
