import { constants, type Stats } from "node:fs";
import { open, readdir } from "node:fs/promises";
import type { DownloadSource, SourceFile, SourceStats } from "../files/download-source.ts";
import { downloadTree } from "../files/download-tree.ts";
import { splitParent, unusablePath } from "../files/sandbox-path.ts";
import type { DownloadLimits, DownloadReport } from "../files.ts";
import type { Tree, TreeEntry } from "./tree.ts";

/** Copies a path of the tree out; see {@link downloadTree}. */
export async function downloadFrom(
  tree: Tree,
  path: string,
  hostPath: string,
  limits: DownloadLimits,
): Promise<DownloadReport> {
  const [parentPath, name] = splitParent(path);
  using parent = tree.open(parentPath, true);
  const entry = parent?.child(name);
  if (entry === undefined) throw unusablePath(path, "does not exist");
  await using source = sourceOf(entry);
  return await downloadTree(source, name, hostPath, limits);
}

/** Takes the entry over, and closes it when disposed of. */
function sourceOf(entry: TreeEntry): DownloadSource {
  return {
    stats: statsOf(entry.stats),
    names: () => readdir(entry.path, { encoding: "buffer" }),
    async child(name) {
      const child = entry.child(name);
      return child === undefined ? undefined : sourceOf(child);
    },
    open: () => openFile(entry),
    async [Symbol.asyncDispose]() {
      entry[Symbol.dispose]();
    },
  };
}

async function openFile(entry: TreeEntry): Promise<SourceFile> {
  const file = await open(entry.path, constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    async read(position, length) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    },
    version: async () => statsOf(await file.stat()).version,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

function statsOf(stats: Stats): SourceStats {
  return {
    kind: stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "folder"
        : stats.isSymbolicLink()
          ? "link"
          : "other",
    bytes: stats.size,
    storedBytes: stats.blocks * 512,
    mode: stats.mode,
    version: `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`,
  };
}
