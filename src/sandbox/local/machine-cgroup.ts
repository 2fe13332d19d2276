import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { CgroupRoots, Controller } from "./cgroup-roots.ts";
import { readProcessFile, signalProcess } from "./process-identity.ts";

export interface MachineLimits {
  readonly cpus: number;
  readonly memoryMb: number;
  readonly maxProcesses: number;
}

/**
 * The control groups of one machine: `<id>/work` carries the limits and holds every command, each in a group
 * of its own below it; `<id>` itself holds the machine's first process, which no limit may kill.
 */
export class MachineCgroup {
  readonly enforced: ReadonlySet<Controller>;
  /** One folder per hierarchy, outermost of the machine. */
  readonly folders: readonly string[];
  /** The hierarchy whose sub-groups tell commands apart; `undefined` without control groups. */
  readonly #tracked: string | undefined;

  private constructor(
    folders: readonly string[],
    tracked: string | undefined,
    enforced: readonly Controller[],
  ) {
    this.folders = folders;
    this.#tracked = tracked;
    this.enforced = new Set(enforced);
  }

  /** Where the machine's groups will be, so that they can be labelled before they are made. */
  static foldersOf(roots: CgroupRoots, id: string): readonly string[] {
    if (roots.version === "none") return [];
    return roots.version === 2
      ? [join(roots.folder, id)]
      : [...new Set(roots.folders.values())].map((f) => join(f, id));
  }

  static create(roots: CgroupRoots, id: string, limits: MachineLimits): MachineCgroup {
    const folders = MachineCgroup.foldersOf(roots, id);
    if (roots.version === "none") return new MachineCgroup([], undefined, []);
    for (const folder of folders) mkdirSync(folder);
    if (roots.version === 2) {
      const folder = join(roots.folder, id);
      const on = [...roots.controllers];
      writeFileSync(join(folder, "cgroup.subtree_control"), on.map((name) => `+${name}`).join(" "));
      mkdirSync(join(folder, "work"));
      mkdirSync(join(folder, "machine"));
      for (const controller of on) limitUnified(join(folder, "work"), controller, limits);
      return new MachineCgroup(folders, folder, on);
    }
    for (const folder of folders) mkdirSync(join(folder, "work"));
    const on = [...roots.folders.keys()];
    for (const [controller, root] of roots.folders) limitSeparate(join(root, id, "work"), controller, limits);
    const tracked = roots.folders.get("pids") ?? roots.folders.get("memory") ?? roots.folders.get("cpu");
    return new MachineCgroup(folders, tracked === undefined ? undefined : join(tracked, id), on);
  }

  /** Groups the machine's own processes join. */
  get machineFolders(): readonly string[] {
    return this.folders.map((folder) =>
      existsSync(join(folder, "machine")) ? join(folder, "machine") : folder,
    );
  }

  /** A group for one command; its processes join `folders` before the program starts. */
  openCommand(name: string): CommandGroup | undefined {
    if (this.#tracked === undefined) return undefined;
    const own = join(this.#tracked, "work", name);
    mkdirSync(own);
    const others = this.folders
      .filter((folder) => folder !== this.#tracked)
      .map((folder) => join(folder, "work"));
    return { folders: [own, ...others], own };
  }

  /** Host process numbers of everything commands left running, or `undefined` without control groups. */
  workProcesses(): readonly number[] | undefined {
    return this.#tracked === undefined ? undefined : processesUnder(join(this.#tracked, "work"));
  }
}

export interface CommandGroup {
  /** To join, one per hierarchy. */
  readonly folders: readonly string[];
  /** The group that is this command's alone. */
  readonly own: string;
}

/** Processes of a group and those below it. */
export function processesUnder(folder: string): readonly number[] {
  try {
    const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    return [...own, ...subgroups(folder).flatMap(processesUnder)];
  } catch {
    return [];
  }
}

/**
 * Ends every process of the groups, fork bombs included: first no new process may start, then all are killed,
 * until none is left. Rejects with `sandbox-stuck` when the kernel does not let go of one for `deadlineMs`.
 */
export async function killGroup(
  folder: string,
  clock: Clock,
  deadlineMs = 10_000,
): Promise<readonly string[]> {
  const names: string[] = [];
  const seen = new Set<number>();
  const end = clock.monotonic() + deadlineMs;
  forbidForks(folder);
  for (;;) {
    const pids = processesUnder(folder).filter((pid) => pid > 0);
    if (pids.length === 0) return names;
    for (const pid of pids) {
      if (!seen.has(pid)) names.push((readProcessFile(pid, "comm") ?? "").trim());
      seen.add(pid);
    }
    if (existsSync(join(folder, "cgroup.kill"))) writeFileSync(join(folder, "cgroup.kill"), "1");
    else for (const pid of pids) signalProcess(pid, "SIGKILL");
    if (clock.monotonic() > end) {
      throw new AleError({
        code: "sandbox-stuck",
        message: `${pids.length} processes under ${folder} do not end after SIGKILL.`,
        remedy: "Look at their state in /proc/PID/stack; a hung file system is the usual cause.",
      });
    }
    await clock.sleep(1);
  }
}

/** Removes emptied groups, deepest first; waits while the kernel still counts ended processes in them. */
export async function removeGroup(folder: string, clock: Clock, deadlineMs = 5_000): Promise<void> {
  const end = clock.monotonic() + deadlineMs;
  for (;;) {
    for (const name of subgroups(folder))
      await removeGroup(join(folder, name.slice(folder.length + 1)), clock);
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

function forbidForks(folder: string): void {
  const path = join(folder, "pids.max");
  if (existsSync(path)) writeFileSync(path, "0");
  for (const child of subgroups(folder)) forbidForks(child);
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

const periodMicroseconds = 100_000;
const mebibyte = 1024 * 1024;

function limitSeparate(folder: string, controller: Controller, limits: MachineLimits): void {
  if (controller === "pids") writeFileSync(join(folder, "pids.max"), String(limits.maxProcesses));
  if (controller === "cpu") {
    writeFileSync(join(folder, "cpu.cfs_period_us"), String(periodMicroseconds));
    writeFileSync(join(folder, "cpu.cfs_quota_us"), String(Math.round(limits.cpus * periodMicroseconds)));
  }
  if (controller === "memory") {
    const bytes = String(Math.round(limits.memoryMb * mebibyte));
    writeFileSync(join(folder, "memory.limit_in_bytes"), bytes);
    // Absent where the kernel does not account swap.
    const swap = join(folder, "memory.memsw.limit_in_bytes");
    if (existsSync(swap)) writeFileSync(swap, bytes);
  }
}

function limitUnified(folder: string, controller: Controller, limits: MachineLimits): void {
  if (controller === "pids") writeFileSync(join(folder, "pids.max"), String(limits.maxProcesses));
  if (controller === "cpu") {
    const quota = Math.round(limits.cpus * periodMicroseconds);
    writeFileSync(join(folder, "cpu.max"), `${quota} ${periodMicroseconds}`);
  }
  if (controller === "memory") {
    writeFileSync(join(folder, "memory.max"), String(Math.round(limits.memoryMb * mebibyte)));
    const swap = join(folder, "memory.swap.max");
    if (existsSync(swap)) writeFileSync(swap, "0");
  }
}
