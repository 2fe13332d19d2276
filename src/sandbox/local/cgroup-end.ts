import { existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { signalProcess } from "../process-identity.ts";
import { isInside } from "./process-tree.ts";

/** How long a launcher, whose program has been ended, may take to notice. */
const launcherPatienceMs = 250;

/** Processes of a group and those below it. */
export function processesUnder(folder: string): readonly number[] {
  try {
    const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    return [...own, ...subgroups(folder).flatMap(processesUnder)].filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/**
 * Ends every process of the group, fork bombs included. Rejects with `sandbox-stuck` when the kernel does not
 * let go of one for `deadlineMs`.
 *
 * 1. No process in it may start another.
 * 2. Those inside the machine are killed. Their launchers, outside, are spared: an orphan of theirs would be
 *    left to the host's first process, which need not reap it, and so keep the machine from ending.
 * 3. The launchers end by themselves; those that have not yet launched are killed.
 */
export async function killGroup(folder: string, clock: Clock, deadlineMs = 10_000): Promise<void> {
  const began = clock.monotonic();
  holdForks(folder);
  let thawed = false;
  for (let left = processesUnder(folder); left.length > 0; left = processesUnder(folder)) {
    const waited = clock.monotonic() - began;
    if (waited > deadlineMs) throw stuck(folder, left.length);
    const inside = left.filter((pid) => !isInside(pid, process.pid));
    for (const pid of waited > launcherPatienceMs ? left : inside) signalProcess(pid, "SIGKILL");
    if (inside.length === 0 && !thawed) {
      thaw(folder);
      thawed = true;
    }
    await clock.sleep(1);
  }
}

/** Removes emptied groups, deepest first; waits while the kernel still counts ended processes in them. */
export async function removeGroup(folder: string, clock: Clock, deadlineMs = 5_000): Promise<void> {
  const end = clock.monotonic() + deadlineMs;
  for (;;) {
    for (const child of subgroups(folder)) await removeGroup(child, clock, deadlineMs);
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || clock.monotonic() > end) throw error;
    }
    await clock.sleep(1);
  }
}

/** Version 1 by the process limit, version 2 by the freezer: killing works on the frozen there, not in version 1. */
function holdForks(folder: string): void {
  const freezer = join(folder, "cgroup.freeze");
  if (existsSync(freezer)) {
    writeFileSync(freezer, "1");
    return;
  }
  const path = join(folder, "pids.max");
  if (existsSync(path)) writeFileSync(path, "0");
  for (const child of subgroups(folder)) holdForks(child);
}

function thaw(folder: string): void {
  const freezer = join(folder, "cgroup.freeze");
  if (existsSync(freezer)) writeFileSync(freezer, "0");
}

function subgroups(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function stuck(folder: string, count: number): AleError {
  return new AleError({
    code: "sandbox-stuck",
    message: `${count} processes under ${folder} do not end after SIGKILL.`,
    remedy: "Look at their state in /proc/PID/stack; a hung file system is the usual cause.",
  });
}
