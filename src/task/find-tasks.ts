import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { Finding } from "../contract/finding.ts";
import type { ReadOutcome, TaskFormat, TaskPackage } from "./task-package.ts";

export type MalformedPackage = Extract<ReadOutcome, { kind: "malformed" }>;

export interface FoundTasks {
  /** By workflow id. */
  readonly packages: readonly TaskPackage[];
  /** By folder. */
  readonly malformed: readonly MalformedPackage[];
}

/**
 * Reads every task package at or below the roots, in the first format that takes a folder for its own. What is
 * malformed stops nothing: it stands in its own list. Hidden folders and `node_modules` are not searched, links
 * not followed. Throws an `AleError` with code `no-such-folder` for a root that is not a readable folder.
 */
export async function findTasks(
  roots: readonly string[],
  formats: readonly TaskFormat[],
): Promise<FoundTasks> {
  const dirs = new Map<string, TaskFormat>();
  for (const root of roots) await search(await realRoot(root), formats, dirs);

  const packages: TaskPackage[] = [];
  const malformed: MalformedPackage[] = [];
  for (const [dir, format] of [...dirs].sort(([a], [b]) => compare(a, b))) {
    const outcome = await readSafely(format, dir);
    if (outcome.kind === "malformed") {
      malformed.push(outcome);
      continue;
    }
    const twin = packages.find((task) => task.manifest.id === outcome.task.manifest.id);
    if (twin === undefined) packages.push(outcome.task);
    else malformed.push(repeatedId(outcome.task, twin));
  }
  return {
    packages: packages.sort((a, b) => compare(a.manifest.id, b.manifest.id)),
    malformed: malformed.sort((a, b) => compare(a.dir, b.dir)),
  };
}

async function search(
  dir: string,
  formats: readonly TaskFormat[],
  found: Map<string, TaskFormat>,
): Promise<void> {
  for (const format of formats) {
    if (await format.detect(dir)) {
      found.set(dir, format);
      return;
    }
  }
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const skipped = entry.name.startsWith(".") || entry.name === "node_modules";
    if (entry.isDirectory() && !skipped) await search(join(dir, entry.name), formats, found);
  }
}

async function realRoot(root: string): Promise<string> {
  try {
    const path = await realpath(root);
    await readdir(path);
    return path;
  } catch (error) {
    throw new AleError({
      code: "no-such-folder",
      message: `cannot look for tasks in ${root}: ${(error as Error).message}`,
      remedy: "name a folder that holds task packages",
      fields: { root },
      cause: error,
    });
  }
}

/** A package that cannot even be read (permissions, a disk error) is malformed, not the end of the search. */
async function readSafely(format: TaskFormat, dir: string): Promise<ReadOutcome> {
  try {
    return await format.read(dir);
  } catch (error) {
    const finding: Finding = {
      severity: "error",
      code: "unreadable-package",
      message: `cannot be read: ${(error as Error).message}`,
      path: dir,
    };
    return { kind: "malformed", dir, findings: [finding] };
  }
}

function repeatedId(task: TaskPackage, twin: TaskPackage): MalformedPackage {
  const finding: Finding = {
    severity: "error",
    code: "repeated-id",
    message: `${task.manifest.id} is also the id of the package in ${twin.dir}`,
    remedy: "leave one of the two out of the folders that are searched",
    path: task.dir,
  };
  return { kind: "malformed", dir: task.dir, findings: [finding] };
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
