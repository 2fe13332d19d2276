import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { RefusalCode } from "../../contract/artifact.ts";
import { quote } from "../quote.ts";
import type { ArchiveEntry, ArchiveLimits } from "./archive-inspection.ts";

/** Why an archive is refused; thrown by the guard, caught by `inspectArchive`. */
export class ArchiveRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

const freeBytes = 16 * 1024 * 1024;

/** Counts what an archive unpacks to against the limits, and collects its entries. */
export class ArchiveGuard {
  readonly #limits: Required<ArchiveLimits>;
  readonly #packedBytes: number;
  readonly #entries = new Map<string, ArchiveEntry>();
  #members = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits, packedBytes: number) {
    this.#limits = {
      maxBytes: limits.maxBytes ?? 1024 ** 3,
      maxEntries: limits.maxEntries ?? 20_000,
      maxDepth: limits.maxDepth ?? 32,
      maxRatio: limits.maxRatio ?? 200,
    };
    this.#packedBytes = packedBytes;
  }

  /** The entries so far, sorted by path in code-unit order. */
  get entries(): ArchiveEntry[] {
    return [...this.#entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Takes note of a member's name before anything of it is read; returns its safe path, `""` for the root. */
  admit(name: string): string {
    if (++this.#members > this.#limits.maxEntries) {
      throw new ArchiveRefusal("too-many-files", `It holds more than ${this.#limits.maxEntries} members.`);
    }
    const path = safePath(name);
    if (path === undefined) throw new ArchiveRefusal("unsafe-name", `A member is called ${quote(name)}.`);
    if (path.split("/").length > this.#limits.maxDepth) {
      throw new ArchiveRefusal("too-deep", `A member lies deeper than ${this.#limits.maxDepth} folders.`);
    }
    return path;
  }

  /** Refuses a promise of more bytes than allowed before they are unpacked. */
  announce(bytes: number): void {
    this.#checkBytes(this.#bytes + bytes);
  }

  /** Counts unpacked bytes as they come. */
  count(bytes: number): void {
    this.#bytes += bytes;
    this.#checkBytes(this.#bytes);
  }

  /** Keeps an entry. Two of the same name would read differently to different programs. */
  keep(entry: ArchiveEntry): void {
    const before = this.#entries.get(entry.path);
    if (before?.type === "folder" && entry.type === "folder") return;
    if (before !== undefined) {
      throw new ArchiveRefusal("unsafe-name", `Two members are called ${quote(entry.path)}.`);
    }
    this.#entries.set(entry.path, entry);
  }

  /** Keeps a link, when what it points to lies within the archive. */
  keepLink(path: string, target: string, from: "member" | "root"): void {
    const joined = posix.join(from === "member" ? posix.dirname(path) : ".", target);
    if (target === "" || target.startsWith("/") || target.includes("\\") || joined.startsWith("..")) {
      throw new ArchiveRefusal("link-out", `The link ${quote(path)} points to ${quote(target)}.`);
    }
    this.keep({ type: "link", path, target });
  }

  #checkBytes(bytes: number): void {
    const { maxBytes, maxRatio } = this.#limits;
    if (bytes > maxBytes)
      throw new ArchiveRefusal("archive-bomb", `It unpacks to more than ${maxBytes} bytes.`);
    if (bytes > freeBytes && bytes > maxRatio * this.#packedBytes) {
      throw new ArchiveRefusal("archive-bomb", `It unpacks to more than ${maxRatio} times its size.`);
    }
  }
}

/** Digests a member while its bytes are counted. */
export class MemberDigest {
  readonly #guard: ArchiveGuard;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(guard: ArchiveGuard) {
    this.#guard = guard;
  }

  take(chunk: Uint8Array): void {
    this.#guard.count(chunk.length);
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
  }

  finish(path: string): ArchiveEntry {
    return { type: "file", path, bytes: this.#bytes, digest: `sha256:${this.#hash.digest("hex")}` };
  }
}

function safePath(name: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const odd = /[\u0000-\u001f\u007f\\]|^\/|^[A-Za-z]:/.test(name);
  if (name === "" || name.length > 1024 || odd) return undefined;
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.includes("..") ? undefined : segments.join("/");
}
