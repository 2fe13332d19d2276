import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { checkPath, splitParent, unusablePath } from "../files/sandbox-path.ts";
import type { FileStat } from "../files.ts";
import { copySparse } from "./copy-sparse.ts";
import type { Tree, TreeEntry } from "./tree.ts";

/** Host numbers of the machine's users; `undefined`: everything belongs to the caller. */
export interface TreeOwners {
  readonly agent: number;
  readonly root: number;
}

export type Owner = "agent" | "root";

/** The trusted side's files in a machine: what we put in, look at and take away while it may be running. */
export class TreeFiles {
  readonly #tree: Tree;
  readonly #owners: TreeOwners | undefined;
  #drafts = 0;

  constructor(tree: Tree, owners: TreeOwners | undefined) {
    this.#tree = tree;
    this.#owners = owners;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    checkPath(path);
    using entry = this.#open(path, true);
    if (entry === undefined) throw unusablePath(path, "does not exist");
    if (!entry.stats.isFile()) throw unusablePath(path, "is not a regular file");
    const file = await open(entry.path, "r");
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(256 * 1024));
        if (bytesRead === 0) break;
        bytes += bytesRead;
        if (bytes > maxBytes) throw unusablePath(path, `is larger than the ${maxBytes} bytes to be read`);
        chunks.push(buffer.subarray(0, bytesRead));
      }
      return new Uint8Array(Buffer.concat(chunks));
    } finally {
      await file.close();
    }
  }

  /** Replaces whatever has the name, so that a reader sees the old file or the new, whole. */
  async write(path: string, content: Uint8Array | string, mode: number, owner: Owner): Promise<void> {
    const [parentPath, name] = splitParent(path);
    await this.#usable(path, async () => {
      using parent = this.#folder(parentPath, owner);
      await this.#replace(parent, name, owner, mode, async (draft) => {
        const file = await open(draft, "w");
        await file.writeFile(content).finally(() => file.close());
      });
    });
  }

  /** Copies a host file, link or folder to the path; folders are merged. */
  async upload(hostPath: string, path: string, owner: Owner): Promise<void> {
    checkPath(path);
    if (lstatSync(hostPath, { throwIfNoEntry: false }) === undefined) {
      throw new AleError({
        code: "host-path",
        message: `${hostPath} does not exist.`,
        fields: { path: hostPath },
      });
    }
    await this.#usable(path, async () => {
      if (lstatSync(hostPath).isDirectory()) {
        using folder = this.#folder(path, owner);
        await this.#uploadFolder(hostPath, folder, owner);
        return;
      }
      const [parentPath, name] = splitParent(path);
      using parent = this.#folder(parentPath, owner);
      await this.#uploadEntry(hostPath, parent, name, owner);
    });
  }

  stat(path: string): FileStat | undefined {
    checkPath(path);
    using entry = this.#open(path, false);
    if (entry === undefined) return undefined;
    const { stats } = entry;
    return {
      type: stats.isFile()
        ? "file"
        : stats.isDirectory()
          ? "folder"
          : stats.isSymbolicLink()
            ? "link"
            : "other",
      bytes: stats.size,
      mode: stats.mode & 0o7777,
      owner: this.#ownerOf(stats.uid),
      modifiedAt: Math.round(stats.mtimeMs),
    };
  }

  async list(path: string): Promise<readonly string[]> {
    checkPath(path);
    using entry = this.#open(path, true);
    if (entry === undefined) throw unusablePath(path, "does not exist");
    if (!entry.stats.isDirectory()) throw unusablePath(path, "is not a folder");
    return (await readdir(entry.path)).sort();
  }

  async remove(path: string): Promise<void> {
    const [parentPath, name] = splitParent(path);
    await this.#usable(path, async () => {
      using parent = this.#open(parentPath, true);
      if (parent !== undefined) removeEntry(parent, Buffer.from(name));
    });
  }

  async #uploadFolder(hostPath: string, folder: TreeEntry, owner: Owner): Promise<void> {
    for (const name of readdirSync(hostPath).sort()) {
      const from = join(hostPath, name);
      if (!lstatSync(from).isDirectory()) {
        await this.#uploadEntry(from, folder, name, owner);
        continue;
      }
      using existing = folder.child(name);
      if (existing === undefined) this.#makeFolder(folder, name, owner);
      using child = folder.child(name);
      if (child?.stats.isDirectory() !== true) throw unusablePath(name, "is in the way and no folder");
      await this.#uploadFolder(from, child, owner);
      applyMode(child.path, lstatSync(from).mode & 0o777);
    }
  }

  async #uploadEntry(from: string, folder: TreeEntry, name: string, owner: Owner): Promise<void> {
    const stats = lstatSync(from);
    if (stats.isSymbolicLink()) {
      const draft = folder.childPath(this.#draftName());
      symlinkSync(readlinkSync(from), draft);
      if (this.#owners !== undefined) lchownSync(draft, this.#owners[owner], this.#owners[owner]);
      renameSync(draft, folder.childPath(name));
      return;
    }
    if (!stats.isFile()) {
      throw new AleError({
        code: "host-path",
        message: `${from} is neither a file, a folder nor a link, and cannot be copied into a sandbox.`,
        fields: { path: from },
      });
    }
    await this.#replace(
      folder,
      name,
      owner,
      stats.mode & 0o777,
      (draft) => copySparse(from, draft, stats),
      stats.mtime,
    );
  }

  /** Makes a file under a name nobody has, lets `fill` write it by handle, and moves it into place. */
  async #replace(
    parent: TreeEntry,
    name: string,
    owner: Owner,
    mode: number,
    fill: (draft: string) => Promise<void>,
    modified?: Date,
  ): Promise<void> {
    const draftPath = parent.childPath(this.#draftName());
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const fd = openSync(draftPath, flags, 0o600);
    try {
      await fill(`/proc/self/fd/${fd}`);
      if (this.#owners !== undefined) fchownSync(fd, this.#owners[owner], this.#owners[owner]);
      fchmodSync(fd, mode);
      if (modified !== undefined) futimesSync(fd, modified, modified);
      renameSync(draftPath, parent.childPath(name));
    } catch (error) {
      unlinkSync(draftPath);
      throw error;
    } finally {
      closeSync(fd);
    }
  }

  #folder(path: string, owner: Owner): TreeEntry {
    return this.#tree.openFolder(path, (parent, name) => this.#makeFolder(parent, name, owner));
  }

  #makeFolder(parent: TreeEntry, name: string, owner: Owner): void {
    const path = parent.childPath(name);
    mkdirSync(path);
    using made = parent.child(name);
    if (made?.stats.isDirectory() !== true) return;
    applyMode(made.path, 0o755);
    if (this.#owners !== undefined) lchownByHandle(made, this.#owners[owner]);
  }

  #open(path: string, follow: boolean): TreeEntry | undefined {
    return this.#tree.open(path, follow);
  }

  #draftName(): string {
    return `.ale-draft-${process.pid}-${this.#drafts++}`;
  }

  #ownerOf(uid: number): FileStat["owner"] {
    if (this.#owners === undefined)
      return uid === process.geteuid?.() ? "agent" : uid === 0 ? "root" : "other";
    return uid === this.#owners.agent ? "agent" : uid === this.#owners.root ? "root" : "other";
  }

  async #usable(path: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (AleError.isInstance(error)) throw error;
      throw unusablePath(path, `cannot be used: ${(error as Error).message}`, error);
    }
  }
}

function applyMode(handlePath: string, mode: number): void {
  withFolder(handlePath, (fd) => fchmodSync(fd, mode));
}

function lchownByHandle(entry: TreeEntry, id: number): void {
  withFolder(entry.path, (fd) => fchownSync(fd, id, id));
}

function withFolder(handlePath: string, action: (fd: number) => void): void {
  const fd = openSync(handlePath, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    action(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes a name and what is below it, never through a link. */
function removeEntry(parent: TreeEntry, name: Buffer): void {
  using entry = parent.child(name);
  if (entry === undefined) return;
  if (!entry.stats.isDirectory()) {
    unlinkSync(parent.childPath(name));
    return;
  }
  for (const child of readdirSync(entry.path, { encoding: "buffer" })) removeEntry(entry, child);
  rmdirSync(parent.childPath(name));
}
