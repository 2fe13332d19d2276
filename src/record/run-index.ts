import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Finding } from "../contract/finding.ts";
import { isDamaged, isUnwritable, openIndexDatabase } from "./index-database.ts";
import { type ResultRow, resultRow } from "./result-row.ts";
import { runFiles } from "./run-layout.ts";
import type { AttemptRecord } from "./run-record.ts";
import { type AttemptPlace, attemptRecord, readAttempts } from "./scan-attempts.ts";
import { type StampedAttempt, stampAttempts } from "./stamp-attempts.ts";

/** What bringing the index up to date took. */
export interface IndexRefresh {
  readonly attempts: number;
  /** Attempts that were new, changed or damaged and had to be read. */
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

/** Every attempt of a run, as its files tell now. */
export interface IndexedAttempts {
  /** Ordered by trial and attempt. */
  readonly attempts: readonly AttemptRecord[];
  /** What the files of each attempt looked like, by its folder. */
  readonly stamps: ReadonlyMap<string, string>;
  readonly refresh: IndexRefresh;
}

/** The rows of a run, by way of {@link readIndexedAttempts}. */
export async function readIndex(runDir: string): Promise<IndexReading> {
  const { attempts, refresh } = await readIndexedAttempts(runDir);
  return {
    rows: attempts.map(resultRow).filter((row) => row !== undefined),
    problems: attempts.flatMap((attempt) => attempt.problems),
    refresh,
  };
}

/**
 * The attempts of a run through `index.sqlite`, which is brought up to date first: only attempts whose files changed are
 * read again. The index is a projection; deleting it loses nothing, and an index that came with a copied run is not
 * believed, for its stamps hold the inodes of the files it was made from.
 */
export async function readIndexedAttempts(runDir: string): Promise<IndexedAttempts> {
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

/** What is kept of an attempt as JSON. */
type Stored = Pick<AttemptRecord, "result" | "verdict" | "regrades">;

async function readThrough(root: string, path: string): Promise<IndexedAttempts> {
  using index = await openIndexDatabase(path);
  const { database, rebuilt } = index;
  const stored = new Map<string, { readonly stamp: string; readonly record: string }>();
  for (const row of database.prepare("SELECT trial, attempt, stamp, record FROM attempts").iterate()) {
    const entry = { stamp: String(row["stamp"]), record: String(row["record"]) };
    stored.set(`${row["trial"]}/${row["attempt"]}`, entry);
  }
  // 1. The stamps come first: what changes while it is read has another one next time.
  const stamped = await stampAttempts(root);
  const known = stamped.map(({ place, stamp }) => {
    const key = `${place.trial}/${place.attempt}`;
    const entry = stored.get(key);
    stored.delete(key);
    return entry?.stamp === stamp ? fromStored(place, entry.record) : undefined;
  });
  const changed = stamped.filter((_, index) => known[index] === undefined);
  const read = await readAttempts(changed.map(({ place }) => place));
  // 2. What was read is written in one transaction; what is left in `stored` is no longer there.
  if (read.length > 0 || stored.size > 0) writeChanges(database, read, changed, stored.keys());
  const fresh = read.values();
  const attempts = known.map((attempt) => attempt ?? (fresh.next().value as AttemptRecord));
  return {
    attempts,
    stamps: new Map(stamped.map(({ place, stamp }) => [place.dir, stamp])),
    refresh: { attempts: stamped.length, read: read.length, rebuilt, inMemory: path === ":memory:" },
  };
}

function fromStored(place: AttemptPlace, record: string): AttemptRecord {
  const { result, verdict, regrades } = JSON.parse(record) as Stored;
  return attemptRecord(place, { result, verdict, regrades, problems: [] });
}

function writeChanges(
  database: DatabaseSync,
  read: readonly AttemptRecord[],
  changed: readonly StampedAttempt[],
  gone: Iterable<string>,
): void {
  database.exec("BEGIN IMMEDIATE");
  const insert = database.prepare(
    "INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM attempts WHERE trial = ? AND attempt = ?");
  for (const [index, attempt] of read.entries()) {
    // Damage is told with the paths of today, and mended from outside: it is looked at each time.
    if (attempt.problems.length > 0) remove.run(attempt.trial, attempt.attempt);
    else insert.run(attempt.trial, attempt.attempt, changed[index]?.stamp ?? "", ...columns(attempt));
  }
  for (const key of gone) {
    const cut = key.lastIndexOf("/");
    remove.run(key.slice(0, cut), Number(key.slice(cut + 1)));
  }
  database.exec("COMMIT");
}

function columns(attempt: AttemptRecord): (string | number | null)[] {
  const { result, verdict, regrades } = attempt;
  const record = JSON.stringify({ result, verdict, regrades } satisfies Stored);
  const row = resultRow(attempt);
  if (row === undefined) return [...new Array(10).fill(null), record];
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
    record,
  ];
}
