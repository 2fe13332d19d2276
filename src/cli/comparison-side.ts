import { basename } from "node:path";
import { type BoardEntry, type BoardRun, boardEntries } from "../board/board-entry.ts";
import { AleError } from "../contract/ale-error.ts";
import { openRun } from "../record/open-run.ts";
import { readIndexedAttempts } from "../record/run-index.ts";
import { findRun } from "./find-run.ts";

/** One side of a comparison. */
export interface ComparisonSide {
  readonly run: BoardRun;
  readonly entry: BoardEntry;
}

/** A side as typed, its run read, its contestant not chosen yet. */
export interface NamedSide {
  readonly typed: string;
  readonly run: BoardRun;
  /** Absent: the run alone was named. */
  readonly contestant: string | undefined;
  readonly entries: readonly BoardEntry[];
}

/** Reads `run`, `run:contestant`, or `:contestant` of the newest run. Throws `unknown-run`. */
export async function readSide(typed: string, runsDir: string, cwd: string): Promise<NamedSide> {
  const { dir, contestant } = await locate(typed, runsDir, cwd);
  const record = await openRun(dir);
  const { attempts } = await readIndexedAttempts(dir);
  const run = { dir, plan: record.plan, lock: record.lock, attempts };
  return { typed, run, contestant, entries: boardEntries([run]) };
}

async function locate(
  typed: string,
  runsDir: string,
  cwd: string,
): Promise<{ readonly dir: string; readonly contestant: string | undefined }> {
  try {
    return { dir: await findRun(typed, runsDir, cwd), contestant: undefined };
  } catch (error) {
    const cut = typed.indexOf(":");
    if (cut < 0 || !AleError.isInstance(error) || error.code !== "unknown-run") throw error;
    const name = typed.slice(0, cut);
    return {
      dir: await findRun(name === "" ? undefined : name, runsDir, cwd),
      contestant: typed.slice(cut + 1),
    };
  }
}

/**
 * Chooses the contestants: the one named, the run's only one, or the one that both runs have. Throws `usage` listing the
 * names where that is not one.
 */
export function chooseSides(
  first: NamedSide,
  second: NamedSide,
): readonly [first: ComparisonSide, second: ComparisonSide] {
  return [choose(first, second), choose(second, first)];
}

function choose(side: NamedSide, other: NamedSide): ComparisonSide {
  const names = side.entries.map((entry) => entry.contestant);
  const common = names.filter((name) =>
    other.contestant === undefined
      ? other.entries.some((entry) => entry.contestant === name)
      : other.contestant === name,
  );
  const wanted =
    side.contestant ?? (names.length === 1 ? names[0] : common.length === 1 ? common[0] : undefined);
  const entry = side.entries.find((candidate) => candidate.contestant === wanted);
  if (entry !== undefined) return { run: side.run, entry };
  const run = basename(side.run.dir);
  throw new AleError({
    code: "usage",
    message:
      wanted === undefined
        ? `${side.typed} has ${names.length} contestants: say which one`
        : `${run} has no contestant ${wanted}`,
    remedy: names.map((name) => `${run}:${name}`).join(", "),
  });
}
