import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RefusalCode } from "../../contract/artifact.ts";
import type { DownloadLimits, DownloadReport } from "../files.ts";
import type { DownloadSource, SourceFile, SourceStats } from "./download-source.ts";

type DownloadedFile = DownloadReport["files"][number];

const pieceBytes = 1024 * 1024;
/** A file of more than this, of which less than a quarter is stored, is refused as sparse. */
const sparseFrom = 1024 * 1024;
const storedShare = 0.25;
/** The longest path, in bytes below the folder that is copied: wherever it is put, the kernel's 4096 leave room. */
const longestPath = 2048;

/** Copies what the handle is of, called `name`, out of a hostile tree. Every refusal is in the report; only a mistake of ours rejects. */
export async function downloadTree(
  source: DownloadSource,
  name: string,
  hostPath: string,
  limits: DownloadLimits,
): Promise<DownloadReport> {
  const download = new Download(limits);
  if (source.stats.kind === "folder") {
    await mkdir(hostPath);
    await download.folder(source, "", hostPath, 1);
  } else await download.entry(source, name, name, hostPath);
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

  async folder(folder: DownloadSource, path: string, hostPath: string, depth: number): Promise<void> {
    let names: readonly Buffer[];
    try {
      names = await folder.names();
    } catch (error) {
      this.#refuse(path === "" ? "." : path, "unreadable", (error as Error).message);
      return;
    }
    for (const bytes of names.toSorted(Buffer.compare)) {
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
      await using entry = await folder.child(bytes);
      if (entry === undefined) {
        this.#refuse(childPath, "changed-while-read", "it was gone when it was to be read");
      } else if (entry.stats.kind !== "folder") {
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
  async entry(entry: DownloadSource, path: string, name: string, hostPath: string): Promise<void> {
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

  #objection({ kind, bytes, storedBytes }: SourceStats): readonly [RefusalCode, string] | undefined {
    if (kind === "link") return ["link-out", "links are not taken: hand in the file itself"];
    if (kind !== "file") return ["special-file", "it is no regular file"];
    if (bytes > sparseFrom && storedBytes < bytes * storedShare) {
      return ["sparse", `of its ${bytes} bytes only ${storedBytes} are stored`];
    }
    const room = this.#limits.maxBytes - this.#bytes;
    if (bytes > room) {
      return ["oversize", `its ${bytes} bytes exceed the ${room} still allowed of ${this.#limits.maxBytes}`];
    }
    return undefined;
  }

  async #copy(entry: DownloadSource, path: string, hostPath: string): Promise<void> {
    const { stats } = entry;
    let opened: SourceFile;
    try {
      opened = await entry.open();
    } catch (error) {
      this.#refuse(path, "unreadable", (error as Error).message);
      return;
    }
    await using source = opened;
    const target = await open(hostPath, "wx", 0o600);
    let digest: string;
    try {
      digest = await hashInto(source, stats.bytes, target);
    } finally {
      await target.close();
    }
    const again = await hashInto(source, stats.bytes, undefined);
    if (digest !== again || (await source.version()) !== stats.version) {
      await rm(hostPath);
      this.#refuse(path, "changed-while-read", "it was changed while it was read");
      return;
    }
    this.#bytes += stats.bytes;
    this.#files.push({
      state: "taken",
      path,
      bytes: stats.bytes,
      digest: `sha256:${digest}`,
      mode: stats.mode & 0o777,
    });
  }

  #refuse(path: string, code: RefusalCode, message: string): void {
    this.#files.push({ state: "refused", path, code, message });
  }
}

/** Hashes exactly `size` bytes from the start, and one more where the file has grown. */
async function hashInto(source: SourceFile, size: number, target: FileHandle | undefined): Promise<string> {
  const hash = createHash("sha256");
  let position = 0;
  while (position <= size) {
    const piece = await source.read(position, Math.min(pieceBytes, size + 1 - position));
    if (piece.length === 0) break;
    hash.update(piece);
    await target?.writeFile(piece);
    position += piece.length;
  }
  return hash.digest("hex");
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
