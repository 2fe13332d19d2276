import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a control group can hold a machine to. */
export type Controller = "memory" | "pids" | "cpu";

/** Where machines' control groups may be made on this host. */
export type CgroupRoots =
  | { readonly version: 1; readonly folders: ReadonlyMap<Controller, string> }
  | { readonly version: 2; readonly folder: string; readonly controllers: ReadonlySet<Controller> }
  | { readonly version: "none"; readonly reason: string };

const controllers: readonly Controller[] = ["memory", "pids", "cpu"];

/** Finds the writable control group hierarchies, version 1 first where the host is hybrid. */
export function findCgroupRoots(): CgroupRoots {
  const mounts = readMounts();
  const folders = new Map<Controller, string>();
  for (const mount of mounts.filter((entry) => entry.type === "cgroup")) {
    for (const controller of controllers) {
      if (!mount.options.includes(controller)) continue;
      const folder = join(mount.target, "ale");
      if (makeFolder(folder)) folders.set(controller, folder);
    }
  }
  if (folders.size > 0) return { version: 1, folders };
  const unified = mounts.find((entry) => entry.type === "cgroup2");
  if (unified === undefined) return { version: "none", reason: "no writable control groups are mounted" };
  return findUnified(unified.target);
}

function findUnified(mountPoint: string): CgroupRoots {
  const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
  for (const parent of [mountPoint, join(mountPoint, own)]) {
    if (!isWritable(parent)) continue;
    const enabled = enableControllers(parent);
    const folder = join(parent, "ale");
    if (enabled.size === 0 || !makeFolder(folder)) continue;
    return { version: 2, folder, controllers: enableControllers(folder) };
  }
  return {
    version: "none",
    reason: `${join(mountPoint, own)} is not delegated to this user`,
  };
}

/**
 * Turns the controllers on for the children of a group. A group with processes of its own cannot (the "no
 * internal processes" rule), so those, which are ours and our caller's, move into a leaf beside the machines.
 */
function enableControllers(folder: string): ReadonlySet<Controller> {
  const available = readWords(join(folder, "cgroup.controllers"));
  const wanted = controllers.filter((controller) => available.includes(controller));
  const isOn = (): boolean => {
    const on = readWords(join(folder, "cgroup.subtree_control"));
    return wanted.every((controller) => on.includes(controller));
  };
  const enable = (): void => {
    for (const controller of wanted) writeQuietly(join(folder, "cgroup.subtree_control"), `+${controller}`);
  };
  if (!isOn()) enable();
  if (!isOn() && makeFolder(join(folder, "ale-host"))) {
    for (const pid of readWords(join(folder, "cgroup.procs"))) {
      writeQuietly(join(folder, "ale-host", "cgroup.procs"), pid);
    }
    enable();
  }
  const on = readWords(join(folder, "cgroup.subtree_control"));
  return new Set(wanted.filter((controller) => on.includes(controller)));
}

interface MountEntry {
  readonly target: string;
  readonly type: string;
  readonly options: readonly string[];
}

function readMounts(): readonly MountEntry[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [left = "", right = ""] = line.split(" - ");
      const target = (left.split(" ")[4] ?? "").replace(/\\(\d{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      );
      const [type = "", , options = ""] = right.split(" ");
      return { target, type, options: options.split(",") };
    });
}

function readWords(path: string): readonly string[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split(/\s+/)
        .filter((word) => word !== "")
    : [];
}

/** Whether a write to a control file took effect is read back by the caller. */
function writeQuietly(path: string, text: string): boolean {
  try {
    writeFileSync(path, text);
    return true;
  } catch {
    return false;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
