import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { trialResultSchema } from "../contract/trial-result.ts";
import { verdictSchema } from "../contract/verdict.ts";
import { systemCode } from "../files/system-code.ts";
import { regradeRecordSchema } from "./regrade-record.ts";

/** An open index. */
export interface IndexDatabase extends Disposable {
  readonly database: DatabaseSync;
  /** Its tables were absent or of another version, and were made anew. */
  readonly rebuilt: boolean;
}

const tables = `
  CREATE TABLE attempts (
    trial TEXT NOT NULL, attempt INTEGER NOT NULL, stamp TEXT NOT NULL,
    contestant TEXT, instance TEXT, repeat INTEGER, status TEXT, score REAL, full_pass INTEGER,
    cost_usd REAL, wall_ms REAL, started_at REAL, regrade INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (trial, attempt)
  ) STRICT;
  CREATE INDEX attempts_by_contestant ON attempts (contestant, instance);
`;

/** Opens the index at a path (or `:memory:`), with the tables of this version. */
export async function openIndexDatabase(path: string): Promise<IndexDatabase> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    const rebuilt = prepareTables(database);
    return { database, rebuilt, [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes the tables unless this version's are there; true when it did. */
function prepareTables(database: DatabaseSync): boolean {
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("BEGIN IMMEDIATE");
  const version = indexVersion();
  const found = database.prepare("PRAGMA user_version").get()?.["user_version"];
  if (found !== version) {
    database.exec("DROP TABLE IF EXISTS attempts");
    database.exec(tables);
    database.exec(`PRAGMA user_version = ${version}`);
  }
  database.exec("COMMIT");
  return found !== version;
}

/**
 * A positive 31-bit number over the tables and the schemas of what is kept in them: what was read under other schemas is
 * read again, without anyone having to think of it.
 */
function indexVersion(): number {
  const schemas = [trialResultSchema, verdictSchema, regradeRecordSchema].map((schema) =>
    z.toJSONSchema(schema, { unrepresentable: "any" }),
  );
  const digest = createHash("sha256").update(tables).update(JSON.stringify(schemas)).digest();
  return (digest.readUInt32BE(0) >>> 1) | 1;
}

/** SQLite's primary result code, kept by `node:sqlite` on its errors. */
function resultCode(error: unknown): number | undefined {
  if (systemCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const code = (error as { readonly errcode?: unknown }).errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === 11 || code === 26;
}

/** SQLITE_READONLY, SQLITE_CANTOPEN and SQLITE_PERM. */
export function isUnwritable(error: unknown): boolean {
  const code = resultCode(error);
  return code === 8 || code === 14 || code === 3;
}
