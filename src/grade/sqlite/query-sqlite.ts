import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { constants, DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { JsonValue } from "../../contract/json-value.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** One row, by column name; without a prototype. */
export type SqliteRow = { readonly [column: string]: JsonValue };

export interface SqliteLimits {
  /** Largest database file, and most text and blobs of one query together, in bytes, default 256 MiB. */
  readonly maxBytes?: number;
  /** Rows taken of one query, default 200,000. */
  readonly maxRows?: number;
  /** Longest text or blob, in bytes, default 10,000,000. */
  readonly maxCellBytes?: number;
}

/**
 * Rows of a query over a database file, opened read-only and immutable. Integers are numbers, beyond 2⁵³ their
 * digits as text; infinite reals are text; a blob is `{"blob": "sha256:…"}`.
 *
 * The file is hostile: views, recursion, attaching, pragmas, extensions and functions that make large values are
 * refused, so that what is stored cannot run away. Bad when it is no sound database, lacks what the query names,
 * goes beyond the limits, or has an unmerged write-ahead log beside it.
 *
 * @param path on the host, as `locateArtifact` gives it.
 * @param sql one query, written by the task's author; never built from an artifact.
 */
export function querySqlite(
  path: string,
  sql: string,
  limits: SqliteLimits = {},
): Read<readonly SqliteRow[]> {
  const { maxBytes = 256 * 1024 ** 2, maxRows = 200_000, maxCellBytes = 10_000_000 } = limits;
  if (statSync(path).size > maxBytes) return bad(`The database is larger than ${maxBytes} bytes.`);
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    return bad("The database has a write-ahead log that was not merged: close it, or run a checkpoint.");
  }
  const address = pathToFileURL(path);
  address.search = "?immutable=1";
  try {
    using database = new DatabaseSync(address, {
      readOnly: true,
      allowExtension: false,
      defensive: true,
      limits: { length: maxCellBytes, attach: 0, exprDepth: 100 },
    });
    guard(database);
    const statement = database.prepare(sql);
    return readRows(statement, maxRows, maxBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SQLITE_ERROR") throw error;
    return bad(`The database cannot be queried: ${quote((error as Error).message, 160)}.`);
  }
}

/** The query for a whole table. */
export function wholeTable(table: string): string {
  return `SELECT * FROM "${table.replaceAll('"', '""')}"`;
}

const allowedActions: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
]);
const refusedFunctions: ReadonlySet<string> = new Set([
  "load_extension",
  "randomblob",
  "zeroblob",
  "printf",
  "format",
  "replace",
  "random",
]);

function guard(database: DatabaseSync): void {
  const views = new Set(
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'view' LIMIT 100000")
      .all()
      .map((row) => String(row["name"]).toLowerCase()),
  );
  database.setAuthorizer((action, first, second, _database, within) => {
    if (!allowedActions.has(action)) return constants.SQLITE_DENY;
    if (action === constants.SQLITE_FUNCTION && refusedFunctions.has(String(second).toLowerCase())) {
      return constants.SQLITE_DENY;
    }
    const view = [first, within].some((name) => name !== null && views.has(name.toLowerCase()));
    return view ? constants.SQLITE_DENY : constants.SQLITE_OK;
  });
}

function readRows(statement: StatementSync, maxRows: number, maxBytes: number): Read<readonly SqliteRow[]> {
  statement.setReadBigInts(true);
  const rows: SqliteRow[] = [];
  let bytes = 0;
  for (const row of statement.iterate()) {
    if (rows.length >= maxRows) return bad(`The query gives more than ${maxRows} rows.`);
    const result = Object.create(null) as Record<string, JsonValue>;
    for (const [column, value] of Object.entries(row)) {
      result[column] = plain(value);
      if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
    }
    // A small file can compute large columns.
    if (bytes > maxBytes) return bad(`The query gives more than ${maxBytes} bytes.`);
    rows.push(result);
  }
  return ok(rows);
}

function plain(value: unknown): JsonValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array)
    return { blob: `sha256:${createHash("sha256").update(value).digest("hex")}` };
  return value as JsonValue;
}
