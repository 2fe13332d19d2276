import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { orAbsent } from "../files/or-absent.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

/** Folders of the built web client. */
export interface WebClient {
  /** For a server: pages, modules. */
  readonly served: string;
  /** For an export: one script, one style sheet. */
  readonly exported: string;
}

/**
 * The browser client: that of the published package, or, in a checkout, built on first use into this user's cache and
 * again when a source changes.
 */
export async function findWebClient(context: CliContext): Promise<WebClient> {
  const published = join(packageRoot, "web");
  if (await isThere(published)) return foldersIn(published);
  const folder = join(context.folders.cache, "web", await sourceHash());
  if (!(await isThere(join(folder, "served", "index.html")))) {
    context.err.write("building the web client (once)\n");
    await buildInto(folder, context);
  }
  return foldersIn(folder);
}

function foldersIn(folder: string): WebClient {
  return { served: join(folder, "served"), exported: join(folder, "exported") };
}

async function isThere(path: string): Promise<boolean> {
  return (await orAbsent(access(path).then(() => true))) === true;
}

/** Over everything the built files depend on. */
async function sourceHash(): Promise<string> {
  const web = join(packageRoot, "src", "web");
  const names = (await readdir(web, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const name of [...names, join(packageRoot, "package-lock.json"), builder]) {
    hash.update(`${name}\0`).update(await readFile(name));
  }
  return hash.digest("hex").slice(0, 20);
}

const builder = join(packageRoot, "scripts", "build-web.ts");

async function buildInto(folder: string, context: CliContext): Promise<void> {
  const child = spawn(context.nodeBinary, [builder, folder], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = Promise.withResolvers<number | null>();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.on("error", ended.reject);
  child.on("close", ended.resolve);
  if ((await ended.promise) === 0) return;
  throw new AleError({
    code: "web-client",
    message: `the web client could not be built:\n${errors.trim()}`,
    remedy: "install the development packages: npm ci",
  });
}
