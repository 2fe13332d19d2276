import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { accountsOf } from "./base-accounts.ts";

/** The lower layer of a machine's root: empty folders, and what of `/etc` any user of the host may read. */
export interface BaseTree {
  /** Name under `bases/`: equal for equal contents. */
  readonly key: string;
  /** Folders of the host that are laid over it, each with an upper layer of its own. */
  readonly overlays: readonly string[];
  /** Further paths of the host shown inside, read-only, where they exist. */
  readonly shown: readonly string[];
}

const version = "1";

const folders: readonly (readonly [path: string, mode: number])[] = [
  ["usr", 0o755],
  ["opt", 0o755],
  ["etc", 0o755],
  ["dev", 0o755],
  ["proc", 0o555],
  ["sys", 0o555],
  ["root", 0o700],
  ["run", 0o755],
  ["run/ale", 0o755],
  ["ale", 0o755],
  ["tmp", 0o1777],
  ["var", 0o755],
  ["var/tmp", 0o1777],
  ["var/log", 0o755],
  ["var/lib", 0o755],
  ["var/cache", 0o755],
  ["home", 0o755],
  [sandboxLayout.home.slice(1), 0o755],
  [sandboxLayout.input.slice(1), 0o755],
  [sandboxLayout.output.slice(1), 0o755],
];

/** Parts of `/var` that installed programs read. No logs, no spools, no data of services. */
const shownOfVar = [
  "/var/lib/dpkg",
  "/var/lib/ghostscript",
  "/var/lib/dictionaries-common",
  "/var/lib/aspell",
  "/var/lib/texmf",
  "/var/lib/sgml-base",
  "/var/lib/xml-core",
  "/var/lib/libreoffice",
  "/var/cache/fontconfig",
  "/var/cache/dictionaries-common",
];

/** World-readable on some hosts, and still none of an agent's business. */
const hiddenOfEtc: ReadonlySet<string> = new Set([
  "shadow",
  "shadow-",
  "gshadow",
  "gshadow-",
  "passwd",
  "passwd-",
  "group",
  "group-",
  "subuid",
  "subuid-",
  "subgid",
  "subgid-",
  "hostname",
  "hosts",
  "resolv.conf",
  "machine-id",
  "environment",
  "fstab",
  "exports",
  "mtab",
  "ssh",
  "ssl/private",
  "sudoers",
  "sudoers.d",
  "NetworkManager",
  "systemd",
  "wireguard",
  "openvpn",
  "docker",
  "kubernetes",
  "cloud",
  "cron.d",
  "cron.daily",
  "crontab",
  "postgresql",
  "apt/auth.conf",
  "apt/auth.conf.d",
  "pip.conf",
  "npmrc",
  "netrc",
]);

/** What the base of this host, or of the given root folder, consists of. Reads metadata only. */
export function describeBase(root: string | undefined): BaseTree {
  const hash = createHash("sha256").update(`${version}\n${root ?? ""}\n`);
  if (root !== undefined) {
    hash.update(readText(join(root, "etc/passwd"))).update(readText(join(root, "etc/group")));
    return { key: hash.digest("hex").slice(0, 32), overlays: [], shown: [] };
  }
  for (const [path, stats] of readableEtc()) hash.update(`${path}\0${stats.mtimeMs}\0${stats.size}\n`);
  hash.update(readText("/etc/passwd")).update(readText("/etc/group"));
  const separate = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].filter(
    (path) => existsSync(path) && !lstatSync(path).isSymbolicLink(),
  );
  return {
    key: hash.digest("hex").slice(0, 32),
    overlays: ["/usr", "/opt"].filter((path) => existsSync(path) && readdirSync(path).length > 0),
    shown: [...separate, ...shownOfVar.filter((path) => existsSync(path))],
  };
}

/** Makes the tree at `folder` unless it is there. Safe against another process that makes the same. */
export async function buildBase(root: string | undefined, folder: string, draftName: string): Promise<void> {
  if (existsSync(folder)) return;
  const draft = join(dirname(folder), draftName);
  await mkdir(draft, { recursive: true, mode: 0o755 });
  try {
    for (const [path, mode] of folders) {
      await mkdir(join(draft, path));
      await chmod(join(draft, path), mode);
    }
    if (root === undefined) {
      for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) await copyTopLevel(name, draft);
      await copyEtc(join(draft, "etc"));
    }
    const accounts = accountsOf(root ?? "/");
    await writeFile(join(draft, "etc/passwd"), accounts.passwd);
    await writeFile(join(draft, "etc/group"), accounts.group);
    await writeFile(join(draft, "etc/hostname"), "ale\n");
    await writeFile(join(draft, "etc/hosts"), "127.0.0.1 localhost ale\n::1 localhost ip6-localhost\n");
    await writeFile(join(draft, "etc/resolv.conf"), "");
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Removes bases that no machine stands on, but not the one given. */
export async function removeUnusedBases(basesFolder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(basesFolder).catch(() => [])) {
    if (!used.has(name) && !name.startsWith(".")) {
      await rm(join(basesFolder, name), { recursive: true, force: true });
    }
  }
}

async function copyTopLevel(name: string, draft: string): Promise<void> {
  const source = join("/", name);
  if (!existsSync(source)) return;
  if (lstatSync(source).isSymbolicLink()) await symlink(readlinkSync(source), join(draft, name));
  else await mkdir(join(draft, name));
}

async function copyEtc(target: string): Promise<void> {
  for (const [path, stats] of readableEtc()) {
    const to = join(target, path);
    if (stats.isDirectory()) await mkdir(to);
    else if (stats.isSymbolicLink()) await symlink(readlinkSync(join("/etc", path)), to);
    else await copyFile(join("/etc", path), to);
    if (!stats.isSymbolicLink()) await chmod(to, stats.mode & 0o755);
  }
}

/** Paths under `/etc` that every user may read, parents first. */
function readableEtc(): readonly (readonly [path: string, stats: Stats])[] {
  const found: [string, Stats][] = [];
  const visit = (folder: string): void => {
    for (const name of readdirSync(join("/etc", folder)).sort()) {
      const path = join(folder, name);
      if (hiddenOfEtc.has(path)) continue;
      const stats = lstatSync(join("/etc", path));
      if (stats.isDirectory() && (stats.mode & 0o005) === 0o005) {
        found.push([path, stats]);
        visit(path);
      } else if (stats.isSymbolicLink() || (stats.isFile() && (stats.mode & 0o004) !== 0)) {
        found.push([path, stats]);
      }
    }
  };
  visit("");
  return found;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
