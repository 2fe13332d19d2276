import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { TaskRuntime } from "./task-bench.ts";

/** Whatever a module loads, by name or by path: what stands in its text is read, nothing is run. */
const loads = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;
const modules: ReadonlySet<string> = new Set([".ts", ".js", ".mjs", ".mts"]);

interface Needed {
  /** Absolute, of our package. */
  readonly files: ReadonlySet<string>;
  /** Names of packages. */
  readonly packages: ReadonlySet<string>;
}

/**
 * A folder with what a task's programs load of our package and of its dependencies, and nothing else: machines to which it
 * is copied take long for the whole. Laid out once for equal contents, below `cacheDir`. What is loaded by a name that is
 * made up when the program runs is not found.
 */
export async function layWindowsRuntime(
  runtime: TaskRuntime,
  taskDir: string,
  cacheDir: string,
): Promise<string> {
  const manifest = join(runtime.packageRoot, "package.json");
  const needed = await neededBy(taskDir, runtime, manifest);
  const sources: (readonly [path: string, place: string])[] = [];
  for (const path of [manifest, ...[...needed.files].sort()]) {
    sources.push([path, relative(runtime.packageRoot, path)]);
  }
  for (const name of [...needed.packages].sort()) {
    sources.push([join(runtime.nodeModules, name), join("node_modules", name)]);
  }
  const hash = createHash("sha256");
  for (const [path, place] of sources) {
    const { size, mtimeMs } = await stat(path);
    hash.update(`${place}\0${size}\0${mtimeMs}\n`);
  }
  const folder = join(cacheDir, "windows-runtime", hash.digest("hex").slice(0, 32));
  if (existsSync(folder)) return folder;
  await makeFolder(dirname(folder));
  const work = await mkdtemp(`${folder}.new-`);
  try {
    for (const [path, place] of sources) {
      await makeFolder(dirname(join(work, place)));
      await cp(path, join(work, place), { recursive: true, filter: isCopied });
    }
    // Another may have been faster: then its folder is as good.
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Links to programs of Linux are no use to Windows, and what only people and compilers read to no program. */
function isCopied(path: string): boolean {
  return !path.endsWith("/node_modules/.bin") && !/\.(d\.[cm]?ts|map|md)$/.test(path);
}

async function neededBy(taskDir: string, runtime: TaskRuntime, manifest: string): Promise<Needed> {
  const { name, exports } = JSON.parse(await readFile(manifest, "utf8")) as {
    name: string;
    exports: Readonly<Record<string, string>>;
  };
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = await modulesBelow(taskDir);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const wanted of await loadedBy(path)) {
      const file = wanted.startsWith(".")
        ? resolve(dirname(path), wanted)
        : wanted.startsWith(`${name}/`)
          ? exported(runtime.packageRoot, exports, `.${wanted.slice(name.length)}`)
          : undefined;
      if (file === undefined) await addPackage(packages, packageOf(wanted), runtime.nodeModules);
      else if (isOurs(file, runtime.packageRoot) && existsSync(file) && !files.has(file)) {
        files.add(file);
        if (modules.has(extname(file))) open.push(file);
      }
    }
  }
  return { files, packages };
}

/** The task's own modules are there anyway. */
function isOurs(file: string, packageRoot: string): boolean {
  return ["src", "dist"].some((part) => file.startsWith(`${join(packageRoot, part)}/`));
}

async function loadedBy(path: string): Promise<readonly string[]> {
  return [...(await readFile(path, "utf8")).matchAll(loads)].map(([, wanted = ""]) => wanted);
}

async function modulesBelow(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  return names.filter((name) => modules.has(extname(name))).map((name) => join(dir, name));
}

function exported(
  root: string,
  exports: Readonly<Record<string, string>>,
  wanted: string,
): string | undefined {
  for (const [pattern, target] of Object.entries(exports)) {
    const [before = "", after] = pattern.split("*");
    if (after === undefined ? pattern === wanted : wanted.startsWith(before)) {
      return join(root, target.replace("*", wanted.slice(before.length)));
    }
  }
  return undefined;
}

function packageOf(wanted: string): string {
  return wanted
    .split("/")
    .slice(0, wanted.startsWith("@") ? 2 : 1)
    .join("/");
}

/** With all that it depends on. Node's own modules are in no folder; nor are packages that are not installed. */
async function addPackage(packages: Set<string>, name: string, nodeModules: string): Promise<void> {
  const folder = join(nodeModules, name);
  if (packages.has(name) || !existsSync(join(folder, "package.json"))) return;
  packages.add(name);
  const text = await readFile(join(folder, "package.json"), "utf8");
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Readonly<Record<string, string>> };
  for (const other of Object.keys(dependencies)) await addPackage(packages, other, nodeModules);
}
