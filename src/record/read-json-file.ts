import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { z } from "zod";
import type { Finding } from "../contract/finding.ts";
import { orAbsent } from "../files/or-absent.ts";
import { systemCode } from "../files/system-code.ts";

/** A JSON file of a record: its value, absent, or what is wrong with it. */
export type JsonFile<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "damaged"; readonly finding: Finding };

/** Reads and checks a file against its schema. Damage is data; only a failing disk throws. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<JsonFile<T>> {
  return judged(path, await orAbsent(readFile(path, "utf8")), schema);
}

/** Like {@link readJsonFile}, at once: for the thousands of small files of a run, where each wait costs more than the file. */
export function readSmallJsonFile<T>(path: string, schema: z.ZodType<T>): JsonFile<T> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    throw error;
  }
  return judged(path, text, schema);
}

function judged<T>(path: string, text: string | undefined, schema: z.ZodType<T>): JsonFile<T> {
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
