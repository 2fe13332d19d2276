import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RefusalCode } from "../../contract/artifact.ts";
import type { DownloadLimits, DownloadReport } from "../files.ts";
import { checkPath, splitParent, type Tree, type TreeEntry, unusablePath } from "./tree.ts";

type DownloadedFile = DownloadReport["files"][number];

const pieceBytes = 1024 * 1024;
/** A file of more than this, of which less than a quarter is stored, is refused as sparse. */
const sparseFrom = 1024 * 1024;
const storedShare = 0.25;
/** The longest path, in bytes below the folder that is copied: wherever it is put, the kernel's 4096 leave room. */
const longestPath = 2048;

/** Copies a path out of a hostile tree. Every refusal is in the report; only a mistake of ours rejects. */
export async function downloadTree(
  tree: Tree,
  path: string,
  hostPath: string,
  limits: DownloadLimits,
): Promise<DownloadReport> {
  checkPath(path);
  const [parentPath, name] = splitParent(path);
  using parent = tree.open(parentPath, true);
  using entry = parent?.child(name);
  if (entry === undefined) throw unusablePath(path, "does not exist");
  const download = new Download(limits);
  if (entry.stats.isDirectory()) {
    await mkdir(hostPath);
    await download.folder(entry, "", hostPath, 1);
  } else await download.entry(entry, name, name, hostPath);
  return download.report();
}

class Download {
  readonly #limits: DownloadLimits;
  readonly #files: DownloadedFile[] = [];
  #bytes = 0;
  #met = 0;
  #full = false;

  constructor(limits: DownloadLimits) {
    this.#limits = limits;
  }

  report(): DownloadReport {
    return {
      files: this.#files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
      bytes: this.#bytes,
    };
  }

  async folder(folder: TreeEntry, path: string, hostPath: string, depth: number): Promise<void> {
    let names: Buffer[];
    try {
      names = readdirSync(folder.path, { encoding: "buffer" });
    } catch (error) {
      this.#refuse(path === "" ? "." : path, "unreadable", (error as Error).message);
      return;
    }
    for (const bytes of names.sort(Buffer.compare)) {
      if (this.#full) return;
      const name = bytes.toString("utf8");
      const childPath = path === "" ? printable(name) : `${path}/${printable(name)}`;
      if (++this.#met > this.#limits.maxFiles) {
        this.#full = true;
        this.#refuse(childPath, "too-many-files", `only ${this.#limits.maxFiles} files may be handed in`);
        return;
      }
      if (isUnsafe(bytes, name)) {
        this.#refuse(
          childPath,
          "unsafe-name",
          "the name holds control characters, a backslash or invalid UTF-8",
        );
        continue;
      }
      if (Buffer.byteLength(childPath) > longestPath) {
        this.#refuse(childPath, "too-deep", `only paths of up to ${longestPath} bytes may be handed in`);
        continue;
      }
      using entry = folder.child(bytes);
      if (entry === undefined) {
        this.#refuse(childPath, "changed-while-read", "it was gone when it was to be read");
      } else if (!entry.stats.isDirectory()) {
        await this.entry(entry, childPath, name, join(hostPath, name));
      } else if (depth >= this.#limits.maxDepth) {
        this.#refuse(childPath, "too-deep", `only ${this.#limits.maxDepth} levels may be handed in`);
      } else {
        await mkdir(join(hostPath, name));
        await this.folder(entry, childPath, join(hostPath, name), depth + 1);
      }
    }
  }

  /** One entry that is no folder. */
  async entry(entry: TreeEntry, path: string, name: string, hostPath: string): Promise<void> {
    if (isUnsafe(Buffer.from(name), name)) {
      this.#refuse(
        printable(path),
        "unsafe-name",
        "the name holds control characters, a backslash or invalid UTF-8",
      );
      return;
    }
    const refusal = this.#objection(entry.stats);
    if (refusal !== undefined) this.#refuse(path, ...refusal);
    else await this.#copy(entry, path, hostPath);
  }

  #objection(stats: Stats): readonly [RefusalCode, string] | undefined {
    if (stats.isSymbolicLink()) return ["link-out", "links are not taken: hand in the file itself"];
    if (!stats.isFile()) return ["special-file", "it is no regular file"];
    if (stats.size > sparseFrom && stats.blocks * 512 < stats.size * storedShare) {
      return ["sparse", `of its ${stats.size} bytes only ${stats.blocks * 512} are stored`];
    }
    const room = this.#limits.maxBytes - this.#bytes;
    if (stats.size > room) {
      return [
        "oversize",
        `its ${stats.size} bytes exceed the ${room} still allowed of ${this.#limits.maxBytes}`,
      ];
    }
    return undefined;
  }

  async #copy(entry: TreeEntry, path: string, hostPath: string): Promise<void> {
    let source: number;
    try {
      source = openSync(entry.path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      this.#refuse(path, "unreadable", (error as Error).message);
      return;
    }
    try {
      const target = await open(hostPath, "wx", 0o600);
      let digest: string;
      try {
        digest = await hashInto(source, entry.stats.size, target);
      } finally {
        await target.close();
      }
      const again = await hashInto(source, entry.stats.size, undefined);
      if (digest !== again || !unchanged(entry.stats, fstatSync(source))) {
        await rm(hostPath);
        this.#refuse(path, "changed-while-read", "it was changed while it was read");
        return;
      }
      this.#bytes += entry.stats.size;
      this.#files.push({
        state: "taken",
        path,
        bytes: entry.stats.size,
        digest: `sha256:${digest}`,
        mode: entry.stats.mode & 0o777,
      });
    } finally {
      closeSync(source);
    }
  }

  #refuse(path: string, code: RefusalCode, message: string): void {
    this.#files.push({ state: "refused", path, code, message });
  }
}

/** Hashes exactly `size` bytes from the start, and one more where the file has grown. */
async function hashInto(source: number, size: number, target: FileHandle | undefined): Promise<string> {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size + 1));
  let position = 0;
  for (;;) {
    const bytes = readSync(source, piece, 0, Math.min(piece.length, size + 1 - position), position);
    if (bytes === 0) break;
    hash.update(piece.subarray(0, bytes));
    if (target === undefined) await new Promise<void>((resolve) => setImmediate(resolve));
    else await target.writeFile(piece.subarray(0, bytes));
    position += bytes;
    if (position > size) break;
  }
  return hash.digest("hex");
}

function unchanged(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs;
}

/** Control characters, line separators and what turns the direction of writing; a file name needs none. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

function isUnsafe(bytes: Buffer, name: string): boolean {
  return unprintable.test(name) || name.includes("\\") || !Buffer.from(name).equals(bytes);
}

/** The name with everything unprintable as `?`, for the report. */
function printable(name: string): string {
  return name.replace(new RegExp(unprintable, "gu"), "?").replaceAll("\ufffd", "?");
}
