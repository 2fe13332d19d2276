import type { Stats } from "node:fs";
import { copyFile, lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Artifact, RefusalCode } from "../../contract/artifact.ts";
import type { OutputSpec } from "../../contract/task-manifest.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { inspectArchive } from "../../grade/archive/inspect-archive.ts";
import { digestOfFile } from "../content-hash.ts";

const mebibyte = 1024 * 1024;
const mostFiles = 10_000;
const mostDepth = 32;

type Refused = Extract<Artifact, { state: "refused" }>;

/**
 * Copies the declared outputs of a folder, and nothing else, into another: what the author's own machine does in
 * place of collecting from a sandbox. Links out of the folder, special files, sparse, oversize and bomb-like
 * files are refused, with the reason in the list.
 */
export async function collectOutputs(
  outputs: readonly OutputSpec[],
  folder: string,
  into: string,
): Promise<readonly Artifact[]> {
  const root = await realpath(folder);
  await makeFolder(into);
  const artifacts: Artifact[] = [];
  for (const output of outputs) {
    const path = output.path.replace(/\/+$/, "");
    const isFolder = output.path.endsWith("/");
    const found = isFolder ? await filesOf(root, path) : [path];
    let taken = 0;
    for (const file of found.slice(0, mostFiles)) {
      const artifact = await collectFile(root, file, into, output.max_mb * mebibyte);
      if (artifact === undefined) continue;
      artifacts.push(artifact);
      taken++;
    }
    if (found.length > mostFiles)
      artifacts.push(refuse(path, "too-many-files", `more than ${mostFiles} files`));
    if (taken === 0) artifacts.push({ state: "missing", path: output.path, required: output.required });
  }
  return artifacts;
}

async function filesOf(root: string, folder: string): Promise<readonly string[]> {
  const stat = await orAbsent(lstat(join(root, folder)));
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [folder];
  const found: string[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    if (depth > mostDepth || found.length > mostFiles) return;
    const entries = await readdir(join(root, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory()) await visit(below, depth + 1);
      else found.push(below);
    }
  };
  await visit(folder, 1);
  return found;
}

async function collectFile(
  root: string,
  path: string,
  into: string,
  maxBytes: number,
): Promise<Artifact | undefined> {
  const source = join(root, path);
  if ((await orAbsent(lstat(source))) === undefined) return undefined;
  const real = await realpath(source).catch(() => undefined);
  if (real === undefined || relative(root, real).split(sep)[0] === "..") {
    return refuse(path, "link-out", "a link that leads out of the output folder, or nowhere");
  }
  const stat = await lstat(real);
  const refusal = await refusalOf(path, real, stat, maxBytes);
  if (refusal !== undefined) return refusal;
  await makeFolder(dirname(join(into, path)));
  await copyFile(real, join(into, path));
  return {
    state: "taken",
    path,
    bytes: stat.size,
    digest: await digestOfFile(real),
    mode: stat.mode & 0o777,
  };
}

async function refusalOf(
  path: string,
  real: string,
  stat: Stats,
  maxBytes: number,
): Promise<Refused | undefined> {
  if (!stat.isFile()) return refuse(path, "special-file", "not a plain file");
  if (stat.size > mebibyte && stat.blocks * 512 < stat.size / 4) {
    return refuse(path, "sparse", `${stat.size} bytes, most of them holes`);
  }
  if (stat.size > maxBytes)
    return refuse(path, "oversize", `${stat.size} bytes; at most ${maxBytes} are taken`);
  const inspection = await inspectArchive(real);
  if (inspection.kind === "refused" && inspection.code !== "unreadable") {
    return refuse(path, inspection.code, inspection.message);
  }
  return undefined;
}

function refuse(path: string, code: RefusalCode, message: string): Refused {
  return { state: "refused", path, code, message };
}
