import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { SandboxSpec } from "../provider.ts";
import type { BaseTree } from "./base-tree.ts";
import { layerName } from "./disk-template.ts";
import { spareDisk } from "./spare-disk.ts";

/** Written on its standard output once the machine stands. */
export const readyMark = "ready";

/**
 * The machine's first process. Being process 1 of its namespace, nothing inside can kill it; waiting for a
 * child it also reaps every orphan.
 */
const firstProcess = `echo ${readyMark}; exec >/dev/null 2>&1; while :; do sleep infinity; done`;

const joinGroups = `while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 1; shift; done; shift`;

/**
 * Runs in a mount namespace of its own, where all of the machine's mounts are made: they go with its last
 * process, whatever kills it. Arguments: groups to join, `--`, the disk's template, bubblewrap's command.
 */
export const startOnImage: string = [
  joinGroups,
  'cp --sparse=always "$1" disk.img || exit 1; shift',
  `mount -a -T fstab && ${setAside(spareDisk.imageMb)} && exec "$@"`,
].join("\n");

/** As {@link startOnImage}; in place of the template: options of a tmpfs, folders to make on it, `--`. */
export const startInMemory: string = [
  joinGroups,
  'mount -t tmpfs -o "$1" ale disk || exit 1; shift',
  'while [ "$1" != -- ]; do mkdir "disk/$1" || exit 1; shift; done; shift',
  `mkdir disk/${spareDisk.folder} && ${setAside(spareDisk.memoryMb)} || exit 1`,
  `n=0; while [ $n -lt ${spareDisk.files} ]; do : > disk/${spareDisk.folder}/$n || exit 1; n=$((n + 1)); done`,
  'mount -a -T fstab && exec "$@"',
].join("\n");

function setAside(mebibytes: number): string {
  return `fallocate -l ${mebibytes}MiB disk/${spareDisk.folder}/bytes`;
}

/** Mounts of the machine in fstab(5) form, made in order. Sources are relative to the machine's folder. */
export function machineMounts(
  folder: string,
  base: BaseTree,
  root: string | undefined,
  privileged: boolean,
  image: boolean,
): string {
  const disk = image
    ? [entry("disk.img", join(folder, "disk"), "ext4", "loop,nosuid,nodev,noatime,barrier=0,errors=continue")]
    : [];
  const flags = privileged ? "nosuid,nodev" : "nosuid,nodev,userxattr";
  const identity = `../../bases/${base.key}`;
  const overlay = (path: string, lower: string): string => {
    const name = layerName(path);
    const options = `lowerdir=${lower},upperdir=disk/${name}-upper,workdir=disk/${name}-work,${flags}`;
    return entry("overlay", join(folder, "root", path), "overlay", options);
  };
  return [
    ...disk,
    overlay("/", root === undefined ? identity : `${identity}:${root}`),
    ...base.overlays.map((path) => overlay(path, path)),
    "",
  ].join("\n");
}

function entry(source: string, target: string, type: string, options: string): string {
  return [source, target, type, options].map(escapeField).join(" ").concat(" 0 0");
}

function escapeField(text: string): string {
  return text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

/** bubblewrap's arguments for the machine. */
export function bubblewrapArguments(
  folder: string,
  spec: SandboxSpec,
  base: BaseTree,
  privileged: boolean,
): readonly string[] {
  const identity = privileged
    ? ["--uid", "0", "--gid", "0", "--userns-block-fd", "4"]
    : ["--uid", "1000", "--gid", "1000"];
  const sharedMemory = Math.round((spec.memoryMb / 2) * 1024 * 1024);
  return [
    ...["--unshare-all", "--unshare-user", "--die-with-parent", "--as-pid-1", "--new-session"],
    ...(spec.network === "open" ? ["--share-net"] : []),
    ...identity,
    ...["--hostname", "ale", "--cap-drop", "ALL", "--info-fd", "3"],
    ...["--bind", join(folder, "root"), "/"],
    ...(privileged ? [] : writableParts(folder)),
    ...base.shown.flatMap((path) => ["--ro-bind", path, path]),
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    ...["--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger"],
    ...["--dev", "/dev", "--perms", "1777", "--size", String(sharedMemory), "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev"],
    ...["--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"],
    ...resolverArguments(),
    ...spec.mounts.flatMap((mount) => [
      // Left to itself, bubblewrap makes the folders above a mount for root alone.
      ...foldersAbove(mount.target).flatMap((folder) => ["--perms", "0755", "--dir", folder]),
      ...["--ro-bind", mount.source, mount.target],
    ]),
    ...(privileged ? [] : ["/", ...base.overlays].flatMap((path) => ["--remount-ro", path])),
    ...["--chdir", "/", "/bin/sh", "-c", firstProcess],
  ];
}

/**
 * Without privilege the agent and the machine's administrator are one user on the host, so that no permission
 * protects the system from the agent: only these parts can be written inside.
 */
function writableParts(folder: string): readonly string[] {
  return [sandboxLayout.home, "/root", "/ale", "/tmp", "/var/tmp"].flatMap((path) => [
    "--bind",
    join(folder, "root", path),
    path,
  ]);
}

/** Name servers of the host, for commands that may use the network. */
function resolverArguments(): readonly string[] {
  const path = "/etc/resolv.conf";
  return existsSync(path) ? ["--ro-bind", realpathSync(path), path] : [];
}

/** The folders above an absolute path, outermost first, the root left out. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}
