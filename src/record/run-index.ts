import { rm, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Finding } from "../contract/finding.ts";
import { orAbsent, systemCode } from "./file-error.ts";
import { type ResultRow, resultRow } from "./result-row.ts";
import { attemptFiles, runFiles } from "./run-layout.ts";
import { type AttemptPlace, attemptPlaces, readAttempt, regradeFolders } from "./scan-attempts.ts";

/** What bringing the index up to date took. */
export interface IndexRefresh {
  readonly attempts: number;
  /** Attempts that were new or changed and had to be read. */
  readonly read: number;
  /** The index was absent, damaged or of another version, and was made anew. */
  readonly rebuilt: boolean;
  /** The run directory cannot be written: the index was made in memory for this call only. */
  readonly inMemory: boolean;
}

/** What the index says of a run. */
export interface IndexReading {
  readonly rows: readonly ResultRow[];
  /** Files that are there but cannot be read as what they should be; of an attempt without its result no row is made. */
  readonly problems: readonly Finding[];
  readonly refresh: IndexRefresh;
}

/** Raised when the tables change; an index of another version is thrown away and rebuilt. */
const indexVersion = 2;

const tables = `
  CREATE TABLE attempts (
    trial TEXT NOT NULL, attempt INTEGER NOT NULL, stamp TEXT NOT NULL, dir TEXT NOT NULL,
    contestant TEXT, instance TEXT, repeat INTEGER, status TEXT, score REAL, full_pass INTEGER,
    cost_usd REAL, wall_ms REAL, started_at REAL, regrade INTEGER, row TEXT,
    problems TEXT NOT NULL,
    PRIMARY KEY (trial, attempt)
  ) STRICT;
  CREATE INDEX attempts_by_contestant ON attempts (contestant, instance);
  PRAGMA user_version = ${indexVersion};
`;

/**
 * The rows of a run through `index.sqlite`, which is brought up to date first: only attempts whose files changed are
 * read again. The index is a projection; deleting it loses nothing.
 */
export async function readIndex(runDir: string): Promise<IndexReading> {
  const root = resolve(runDir);
  const path = join(root, runFiles.index);
  try {
    return await readThrough(root, path);
  } catch (error) {
    if (isDamaged(error)) {
      await rm(path, { force: true });
      return readThrough(root, path);
    }
    if (isUnwritable(error)) return readThrough(root, ":memory:");
    throw error;
  }
}

async function readThrough(root: string, path: string): Promise<IndexReading> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    const rebuilt = prepareTables(database);
    const counts = await refresh(database, root);
    const stored = database
      .prepare("SELECT dir, row FROM attempts WHERE row IS NOT NULL ORDER BY trial, attempt")
      .all();
    const rows = stored.map((entry) => ({
      ...(JSON.parse(String(entry["row"])) as Omit<ResultRow, "dir">),
      dir: join(root, String(entry["dir"])),
    }));
    const damaged = database
      .prepare("SELECT problems FROM attempts WHERE problems <> '[]' ORDER BY trial, attempt")
      .all();
    const problems = damaged.flatMap((entry) => JSON.parse(String(entry["problems"])) as readonly Finding[]);
    return { rows, problems, refresh: { ...counts, rebuilt, inMemory: path === ":memory:" } };
  } finally {
    database.close();
  }
}

/** Makes the tables unless this version's are there; true when it did. */
function prepareTables(database: DatabaseSync): boolean {
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("BEGIN IMMEDIATE");
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  if (version !== indexVersion) {
    database.exec("DROP TABLE IF EXISTS attempts");
    database.exec(tables);
  }
  database.exec("COMMIT");
  return version !== indexVersion;
}

async function refresh(
  database: DatabaseSync,
  runDir: string,
): Promise<{ readonly attempts: number; readonly read: number }> {
  const known = new Map<string, string>();
  for (const row of database.prepare("SELECT trial, attempt, stamp FROM attempts").all()) {
    known.set(`${row["trial"]}/${row["attempt"]}`, String(row["stamp"]));
  }
  const places = await attemptPlaces(runDir);
  const changed: {
    readonly place: AttemptPlace;
    readonly stamp: string;
    readonly row: ResultRow | undefined;
    readonly problems: readonly Finding[];
  }[] = [];
  for (const place of places) {
    const key = `${place.trial}/${place.attempt}`;
    const stamp = await stampOf(place.dir);
    if (known.get(key) !== stamp) {
      const attempt = await readAttempt(place);
      changed.push({ place, stamp, row: resultRow(attempt), problems: attempt.problems });
    }
    known.delete(key);
  }
  database.exec("BEGIN IMMEDIATE");
  const insert = database.prepare(
    "INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { place, stamp, row, problems } of changed) {
    const dir = relative(runDir, place.dir);
    insert.run(place.trial, place.attempt, stamp, dir, ...columns(row), JSON.stringify(problems));
  }
  const remove = database.prepare("DELETE FROM attempts WHERE trial = ? AND attempt = ?");
  for (const key of known.keys()) {
    const cut = key.lastIndexOf("/");
    remove.run(key.slice(0, cut), Number(key.slice(cut + 1)));
  }
  database.exec("COMMIT");
  return { attempts: places.length, read: changed.length };
}

function columns(row: ResultRow | undefined): (string | number | null)[] {
  if (row === undefined) return new Array(11).fill(null);
  const { dir: _, ...stored } = row;
  return [
    row.contestant,
    row.instance,
    row.repeat,
    row.status,
    row.score,
    row.fullPass === null ? null : Number(row.fullPass),
    row.costUsd,
    row.wallMs,
    row.startedAt,
    row.regrade,
    JSON.stringify(stored),
  ];
}

/** Size and time of every file a row is made from. */
async function stampOf(attemptDir: string): Promise<string> {
  const paths = [attemptFiles.result, attemptFiles.verdict].map((name) => join(attemptDir, name));
  for (const dir of await regradeFolders(attemptDir)) {
    paths.push(join(dir, attemptFiles.regrade), join(dir, attemptFiles.verdict));
  }
  const stamps: string[] = [];
  for (const path of paths) {
    const found = await orAbsent(stat(path, { bigint: true }));
    stamps.push(found === undefined ? "-" : `${found.mtimeNs}:${found.size}:${found.ino}`);
  }
  return stamps.join(" ");
}

/** SQLite's primary result code, kept by `node:sqlite` on its errors. */
function resultCode(error: unknown): number | undefined {
  if (systemCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const code = (error as { readonly errcode?: unknown }).errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === 11 || code === 26;
}

/** SQLITE_READONLY, SQLITE_CANTOPEN and SQLITE_PERM. */
function isUnwritable(error: unknown): boolean {
  const code = resultCode(error);
  return code === 8 || code === 14 || code === 3;
}
