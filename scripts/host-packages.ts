// Prints the Debian packages that a group needs, one a line: `exam` (sandboxes and the tasks at hand), `test`, `full`
// (the heavy real parts, with the programs of every task), or `nightly`.
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");

/** What the local provider itself runs. */
const sandbox = ["bubblewrap", "e2fsprogs", "mount", "util-linux"];

/** What only tests drive: pages are looked at in a real browser. */
const browser = ["chromium"];

/** A desktop: display, window manager, taskbar, and small programs to look at and type into. */
const desktop = [
  "dbus-daemon",
  "fonts-dejavu-core",
  "openbox",
  "tint2",
  "x11-utils",
  "xclip",
  "xterm",
  "xvfb",
];

/** Programs that only the heavy tests work with. */
const programs = ["at-spi2-core", "ffmpeg", "fonts-wqy-microhei", "libreoffice-calc", "python3-pyatspi"];

/** What only the heavy tests start: daemons for containers, and what makes images without a registry. */
const containers = ["docker.io", "mmdebstrap", "podman", "runc"];

/** What only the longest tests start: daemons of an ordinary user, and one with a bridge. */
const furtherDaemons = ["fuse-overlayfs", "iproute2", "iptables", "rootlesskit", "slirp4netns", "uidmap"];

/** What only the heavy tests start: virtual machines, and machines to attach to. */
const machines = ["openssh-server", "python3", "qemu-system-x86", "qemu-utils", "xorriso"];

/** Big programs that no task needs, looked at or asked by the longest tests. */
const rare = ["gimp", "golang-1.19-go", "libreoffice-impress", "libreoffice-writer", "wine", "wine64"];

interface ManifestPart {
  readonly interface?: readonly string[];
  readonly sandbox?: { readonly packages?: readonly string[] };
}

/** Of every task at hand; those done at a screen bring big programs, and are left to who sits them. */
async function taskPackages(withScreen: boolean): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const path of glob("tasks/*/*/task.yaml", { cwd: root })) {
    const manifest = parse(await readFile(join(root, path), "utf8")) as ManifestPart;
    if (!withScreen && manifest.interface?.some((channel) => channel !== "shell") === true) continue;
    names.push(...(manifest.sandbox?.packages ?? []));
  }
  return names;
}

const group = process.argv[2];
if (group !== "exam" && group !== "test" && group !== "full" && group !== "nightly") {
  process.stderr.write("usage: host-packages.ts exam|test|full|nightly\n");
  process.exit(2);
}
const isHeavy = group === "full" || group === "nightly";
const names = new Set([
  ...sandbox,
  ...(await taskPackages(isHeavy)),
  ...(group === "exam" ? [] : [...browser, ...desktop]),
  ...(isHeavy ? [...programs, ...containers, ...machines] : []),
  ...(group === "nightly" ? [...rare, ...furtherDaemons] : []),
]);
process.stdout.write(
  [...names]
    // Of a program with and without windows only one can be installed.
    .filter((name) => !names.has(name.replace(/-nogui$/, "")) || !name.endsWith("-nogui"))
    .sort()
    .map((name) => `${name}\n`)
    .join(""),
);
