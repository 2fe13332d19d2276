import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runHostProgram } from "../local/run-host-program.ts";
import { flushFile } from "./flush-file.ts";
import { runTool } from "./qemu/host-programs.ts";

/** Bytes from which a disk is worth keeping: our package and Node are, inputs and references are not. */
const keptFrom = 16_000_000;

/**
 * Host folders and files as read-only disks: a machine that starts from a snapshot takes disks, not shared folders. A disk
 * holds `content`, the file or folder itself; it is kept for as long as nothing below the source changes.
 */
export class MountDisks {
  readonly #folder: string;
  readonly #making: Map<string, Promise<string>> = new Map();

  constructor(cacheDir: string) {
    this.#folder = join(cacheDir, "vm", "mounts");
  }

  /** The disk of a source, raw ext4. A small one may hold what nobody may see later: it lies in the machine's folder. */
  async diskOf(source: string, machineFolder: string): Promise<string> {
    const { signature, bytes, entries } = await describeTree(source);
    const folder = bytes < keptFrom ? machineFolder : this.#folder;
    const path = join(folder, `${signature}.img`);
    if (existsSync(path)) return path;
    const making =
      this.#making.get(path) ??
      this.#make(source, path, folder, bytes, entries).finally(() => this.#making.delete(path));
    this.#making.set(path, making);
    return making;
  }

  async #make(source: string, path: string, folder: string, bytes: number, entries: number): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const work = await mkdtemp(join(folder, ".new-"));
    try {
      const tree = join(work, "tree");
      await mkdir(tree);
      // Hard links where the folders share a disk: mke2fs follows no links, and takes but one folder.
      const copied = await runHostProgram(["/bin/cp", "-al", "--", source, join(tree, "content")]);
      if (copied.code !== 0) {
        await rm(join(tree, "content"), { recursive: true, force: true });
        const again = await runHostProgram(["/bin/cp", "-a", "--", source, join(tree, "content")]);
        if (again.code !== 0) throw new RangeError(again.stderr.trim());
      }
      const image = join(work, "disk.img");
      await makeFileSystem(
        image,
        Math.ceil(bytes / 1_000_000) + Math.ceil(entries / 100) + 16,
        entries,
        tree,
      );
      if (folder === this.#folder) await flushFile(image);
      await rename(image, path);
      return path;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}

/** A machine's own disk: what its agent writes at home and in the temporary folders, and no more than its size. */
export async function makeScratchDisk(path: string, diskMb: number): Promise<void> {
  const tree = await mkdtemp(`${path}.tree-`);
  try {
    for (const name of ["home", "tmp", "var-tmp"]) await mkdir(join(tree, name));
    await writeFile(path, "");
    await truncate(path, diskMb * 1024 * 1024);
    const options = ["-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", "-F", "-d", tree, path];
    await runTool("mke2fs", options, "vm-disk");
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function makeFileSystem(image: string, sizeMb: number, entries: number, tree: string): Promise<void> {
  await writeFile(image, "");
  await truncate(image, Math.ceil(sizeMb * 1.1 + 8) * 1024 * 1024);
  const inodes = String(entries + 64);
  const options = [
    "-q",
    "-t",
    "ext4",
    "-O",
    "^has_journal",
    "-m",
    "0",
    "-N",
    inodes,
    "-F",
    "-d",
    tree,
    image,
  ];
  await runTool("mke2fs", options, "vm-disk");
}

interface TreeFacts {
  readonly signature: string;
  readonly bytes: number;
  readonly entries: number;
}

/** Names, sizes, modes and times of all that is below: equal signatures, equal disks. */
async function describeTree(source: string): Promise<TreeFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  let entries = 0;
  const visit = async (path: string, shown: string): Promise<void> => {
    const stats = await lstat(path);
    hash.update(`${shown}\0${stats.mode}\0${stats.size}\0${stats.mtimeMs}\0${stats.ino}\n`);
    entries++;
    if (!stats.isDirectory()) {
      bytes += Math.ceil(stats.size / 4096) * 4096;
      return;
    }
    bytes += 4096;
    for (const name of (await readdir(path)).sort()) await visit(join(path, name), `${shown}/${name}`);
  };
  await visit(source, source);
  return { signature: hash.digest("hex").slice(0, 32), bytes, entries };
}
