import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { z } from "zod";
import { AleError } from "../contract/ale-error.ts";
import type { JsonValue } from "../contract/json-value.ts";
import { orAbsent } from "../files/or-absent.ts";
import { writeDurably } from "./durable-file.ts";
import type { Redactor } from "./redactor.ts";
import { writeFailure } from "./write-failure.ts";

/**
 * Writes a JSON file of a record once: checked against its schema, without secrets, durable when it resolves.
 * Rejects with an `AleError` coded `record-invalid` for a value that could not be read back, `record-exists` when
 * the file is already there, `record-write` when the disk refuses.
 */
export async function writeRecordFile<T>(
  path: string,
  schema: z.ZodType<T>,
  value: T,
  redactor: Redactor,
): Promise<void> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new AleError({
      code: "record-invalid",
      message: `${basename(path)} would not fit its schema: ${parsed.error.message}`,
      fields: { path },
      cause: parsed.error,
    });
  }
  if ((await orAbsent(stat(path))) !== undefined) {
    throw new AleError({
      code: "record-exists",
      message: `${path} is already written, and a record is never overwritten.`,
      fields: { path },
    });
  }
  const plain = JSON.parse(JSON.stringify(parsed.data)) as JsonValue;
  try {
    await writeDurably(path, `${JSON.stringify(redactor.redactJson(plain), undefined, 2)}\n`);
  } catch (error) {
    throw writeFailure(path, error);
  }
}
