import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { splitPath, unusablePath } from "../files/sandbox-path.ts";

/** Linux's O_PATH, which Node does not name: a handle on a path that reads and opens nothing. */
const oPath = 0o10000000;
const mostLinks = 40;

/** A handle on something in a tree; close it with `using`. */
export class TreeEntry implements Disposable {
  readonly fd: number;
  readonly stats: Stats;

  constructor(fd: number, stats: Stats) {
    this.fd = fd;
    this.stats = stats;
  }

  /** The entry itself, wherever it has been moved meanwhile: no name is looked up again. */
  get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  /** Something directly in this folder, links not followed; `undefined` when absent. */
  child(name: string | Buffer): TreeEntry | undefined {
    return openEntry(this.childPath(name));
  }

  childPath(name: string | Buffer): string | Buffer {
    return typeof name === "string"
      ? `${this.path}/${name}`
      : Buffer.concat([Buffer.from(`${this.path}/`), name]);
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/**
 * A file tree whose inhabitants may be hostile, seen from the host. Paths are resolved one name at a time
 * from an open handle, and links relative to the tree's own root, so that nothing outside it is ever reached,
 * whatever is renamed meanwhile.
 */
export class Tree {
  readonly #root: () => string;

  /** @param root the tree's root on the host, asked for at each use; throws when the tree is gone. */
  constructor(root: () => string) {
    this.#root = root;
  }

  /** A handle on the path; `undefined` when absent. @param follow whether a final link is followed. */
  open(path: string, follow: boolean): TreeEntry | undefined {
    return this.#walk(path, follow, () => undefined);
  }

  /** A handle on a folder, made with its parents where absent: `make` makes one name in an open folder. */
  openFolder(path: string, make: (parent: TreeEntry, name: string) => void): TreeEntry {
    const entry = this.#walk(path, true, make);
    if (entry?.stats.isDirectory()) return entry;
    entry?.[Symbol.dispose]();
    throw unusablePath(path, "is not a folder");
  }

  #walk(
    path: string,
    follow: boolean,
    make: (parent: TreeEntry, name: string) => void,
  ): TreeEntry | undefined {
    const pending = splitPath(path).reverse();
    const stack = [openRoot(this.#root())];
    let links = 0;
    try {
      for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
        const parent = stack.at(-1) as TreeEntry;
        if (name === "..") {
          if (stack.length > 1) stack.pop()?.[Symbol.dispose]();
          continue;
        }
        let entry = parent.child(name);
        if (entry === undefined) {
          make(parent, name);
          entry = parent.child(name);
        }
        if (entry === undefined) return undefined;
        if (entry.stats.isSymbolicLink() && (follow || pending.length > 0)) {
          entry[Symbol.dispose]();
          if (++links > mostLinks) throw unusablePath(path, "goes through too many links");
          const target = readlinkSync(parent.childPath(name), "utf8");
          if (target.startsWith("/")) {
            for (const used of stack.splice(1)) used[Symbol.dispose]();
          }
          pending.push(...splitPath(target).reverse());
          continue;
        }
        stack.push(entry);
        if (pending.length > 0 && !entry.stats.isDirectory()) return undefined;
      }
      return stack.pop();
    } finally {
      for (const entry of stack) entry[Symbol.dispose]();
    }
  }
}

function openRoot(path: string): TreeEntry {
  const fd = openSync(path, oPath | constants.O_DIRECTORY);
  return new TreeEntry(fd, fstatSync(fd));
}

function openEntry(path: string | Buffer): TreeEntry | undefined {
  let fd: number;
  try {
    fd = openSync(path, oPath | constants.O_NOFOLLOW);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
  return new TreeEntry(fd, fstatSync(fd));
}
