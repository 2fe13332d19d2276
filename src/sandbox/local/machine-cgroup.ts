import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesUnder } from "./cgroup-end.ts";
import type { CgroupRoots, Controller } from "./cgroup-roots.ts";

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
  /** Counts what the kernel has killed for want of the machine's memory; `undefined` where memory is not limited. */
  readonly #kills: string | undefined;

  private constructor(
    folders: readonly string[],
    tracked: string | undefined,
    enforced: readonly Controller[],
    kills?: string,
  ) {
    this.folders = folders;
    this.#tracked = tracked;
    this.#kills = kills;
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
      const kills = on.includes("memory") ? join(folder, "work", "memory.events") : undefined;
      return new MachineCgroup(folders, folder, on, kills);
    }
    for (const folder of folders) mkdirSync(join(folder, "work"));
    const on = [...roots.folders.keys()];
    for (const [controller, root] of roots.folders) limitSeparate(join(root, id, "work"), controller, limits);
    const tracked = roots.folders.get("pids") ?? roots.folders.get("memory") ?? roots.folders.get("cpu");
    const memory = roots.folders.get("memory");
    const kills = memory === undefined ? undefined : join(memory, id, "work", "memory.oom_control");
    return new MachineCgroup(folders, tracked === undefined ? undefined : join(tracked, id), on, kills);
  }

  /** How often the kernel has killed for want of the machine's memory; 0 where it does not tell. */
  memoryKills(): number {
    if (this.#kills === undefined) return 0;
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(this.#kills, "utf8"))?.[1] ?? 0);
    } catch (error) {
      // The machine has ended, and its groups with it.
      if (["ENOENT", "ENODEV"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
      throw error;
    }
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
