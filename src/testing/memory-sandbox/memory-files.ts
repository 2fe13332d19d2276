import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../../sandbox/files.ts";

type Owner = "agent" | "root";

type Entry =
  | { readonly type: "file"; readonly content: Uint8Array; readonly mode: number; readonly owner: Owner }
  | { readonly type: "folder"; readonly mode: number; readonly owner: Owner }
  | { readonly type: "link"; readonly target: string; readonly mode: number; readonly owner: Owner };

type Report = DownloadReport["files"][number];

function refuse(path: string, why: string): AleError {
  return new AleError({ code: "sandbox-path", message: `${path} ${why}`, fields: { path } });
}

/** The file tree of a memory sandbox: absolute forward-slash paths, no permissions enforced but kept. */
export class MemoryFiles {
  readonly #entries = new Map<string, Entry>([["/", { type: "folder", mode: 0o755, owner: "root" }]]);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  #put(path: string, entry: Entry): void {
    const parent = posix.dirname(path);
    if (path !== "/" && !this.#entries.has(parent)) {
      this.#put(parent, { type: "folder", mode: 0o755, owner: entry.owner });
    }
    this.#entries.set(posix.normalize(path), entry);
  }

  /** The text of a file, for tests; `undefined` when absent. */
  text(path: string): string | undefined {
    const entry = this.#entries.get(path);
    return entry?.type === "file" ? Buffer.from(entry.content).toString("utf8") : undefined;
  }

  /** Every path, sorted. */
  paths(): readonly string[] {
    return [...this.#entries.keys()].sort();
  }

  /** Type, bytes and target of every path, to see what differs between two moments. */
  snapshot(): ReadonlyMap<string, Entry> {
    return new Map(this.#entries);
  }

  write(path: string, content: Uint8Array | string, mode = 0o644, owner: Owner = "agent"): void {
    this.#put(path, { type: "file", content: Buffer.from(content), mode, owner });
  }

  folder(path: string, owner: Owner = "agent"): void {
    this.#put(path, { type: "folder", mode: 0o755, owner });
  }

  link(path: string, target: string): void {
    this.#put(path, { type: "link", target, mode: 0o777, owner: "agent" });
  }

  read(path: string, maxBytes: number): Uint8Array {
    const entry = this.#entries.get(path);
    if (entry?.type !== "file") throw refuse(path, "is not a regular file");
    if (entry.content.byteLength > maxBytes) throw refuse(path, `is over ${maxBytes} bytes`);
    return entry.content;
  }

  stat(path: string): FileStat | undefined {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const bytes = entry.type === "file" ? entry.content.byteLength : 0;
    return { type: entry.type, bytes, mode: entry.mode, owner: entry.owner, modifiedAt: this.#now() };
  }

  list(path: string): readonly string[] {
    if (this.#entries.get(path)?.type !== "folder") throw refuse(path, "is not a folder");
    const prefix = path === "/" ? "/" : `${path}/`;
    return this.paths()
      .filter(
        (other) => other !== path && other.startsWith(prefix) && !other.slice(prefix.length).includes("/"),
      )
      .map((other) => other.slice(prefix.length));
  }

  remove(path: string): void {
    for (const other of this.paths()) {
      if (other === path || other.startsWith(`${path}/`)) this.#entries.delete(other);
    }
  }

  async upload(hostPath: string, path: string, owner: Owner, readOnly: boolean): Promise<void> {
    const facts = await lstat(hostPath);
    const mode = readOnly ? facts.mode & 0o555 : facts.mode & 0o777;
    if (facts.isSymbolicLink()) this.link(path, await readlink(hostPath));
    else if (facts.isFile()) this.write(path, await readFile(hostPath), mode, owner);
    else if (facts.isDirectory()) {
      this.#put(path, { type: "folder", mode, owner });
      for (const name of await readdir(hostPath)) {
        await this.upload(join(hostPath, name), posix.join(path, name), owner, readOnly);
      }
    }
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    const files: Report[] = [];
    let bytes = 0;
    const visit = async (from: string, to: string, name: string, depth: number): Promise<void> => {
      const entry = this.#entries.get(from);
      const refused = (code: Extract<Report, { state: "refused" }>["code"], message: string): void => {
        files.push({ state: "refused", path: name, code, message });
      };
      if (entry === undefined) throw refuse(from, "does not exist");
      if (depth > limits.maxDepth) return refused("too-deep", `is deeper than ${limits.maxDepth} folders`);
      if (entry.type === "link") return refused("link-out", `is a link to ${entry.target}`);
      if (entry.type === "folder") {
        await mkdir(to, { recursive: true });
        for (const child of this.list(from)) {
          await visit(
            posix.join(from, child),
            join(to, child),
            from === path ? child : `${name}/${child}`,
            depth + 1,
          );
        }
        return;
      }
      if (bytes + entry.content.byteLength > limits.maxBytes) {
        return refused("oversize", `would pass the limit of ${limits.maxBytes} bytes`);
      }
      if (files.length >= limits.maxFiles) return refused("too-many-files", `over ${limits.maxFiles} files`);
      bytes += entry.content.byteLength;
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, entry.content, { mode: entry.mode, flag: "wx" });
      const digest = `sha256:${createHash("sha256").update(entry.content).digest("hex")}`;
      files.push({ state: "taken", path: name, bytes: entry.content.byteLength, digest, mode: entry.mode });
    };
    await visit(path, hostPath, posix.basename(path), 0);
    return { files, bytes };
  }
}
