import { createReadStream, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { DownloadSource } from "../files/download-source.ts";
import { downloadTree } from "../files/download-tree.ts";
import { checkPath, splitParent, unusablePath } from "../files/sandbox-path.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../files.ts";
import { openSource, StewardHandle } from "./steward-handle.ts";
import { type StewardLink, StewardRefusal } from "./steward-link.ts";

export type Owner = "agent" | "root";

const pieceBytes = 256 * 1024;
const owners: Readonly<Record<Owner, number>> = { agent: sandboxLayout.agentUid, root: 0 };
/** What keeps a file of root from everybody else's writing. */
const readOnlyMask = 0o755;

/** The trusted side's files in a container, through its steward. */
export class StewardFiles {
  readonly #link: StewardLink;
  readonly #mountPoints: ReadonlySet<string>;

  /** @param mountPoints paths nobody inside can move or remove. */
  constructor(link: StewardLink, mountPoints: ReadonlySet<string>) {
    this.#link = link;
    this.#mountPoints = mountPoints;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    checkPath(path);
    return this.#about(path, async () => {
      await using handle = await StewardHandle.open(this.#link, path, true);
      if (handle === undefined) throw unusablePath(path, "does not exist");
      if (handle.facts.kind !== "file") throw unusablePath(path, "is not a regular file");
      const pieces: Buffer[] = [];
      for (let bytes = 0; ; ) {
        const piece = await handle.read(bytes, pieceBytes * 4);
        if (piece.length === 0) break;
        bytes += piece.length;
        if (bytes > maxBytes) throw unusablePath(path, `is larger than the ${maxBytes} bytes to be read`);
        pieces.push(piece);
      }
      return new Uint8Array(Buffer.concat(pieces));
    });
  }

  async write(path: string, content: Uint8Array | string, mode: number, owner: Owner): Promise<void> {
    splitParent(path);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await this.#put(path, piecesOf(bytes), mode, owner, undefined);
  }

  /** Copies a host file, link or folder to the path; folders are merged. */
  async upload(hostPath: string, path: string, owner: Owner, readOnly: boolean): Promise<void> {
    checkPath(path);
    const stats = lstatSync(hostPath, { throwIfNoEntry: false });
    if (stats === undefined) {
      throw new AleError({
        code: "host-path",
        message: `${hostPath} does not exist.`,
        fields: { path: hostPath },
      });
    }
    await this.#uploadEntry(hostPath, stats, path, owner, readOnly ? readOnlyMask : 0o777);
    if (readOnly && !this.#mountPoints.has(path)) await this.#ask(path, ["hold", path]);
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    const [, name] = splitParent(path);
    const handle = await this.#about(path, () => StewardHandle.open(this.#link, path, false));
    if (handle === undefined) throw unusablePath(path, "does not exist");
    await using source: DownloadSource = openSource(handle);
    return await downloadTree(source, name, hostPath, limits);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    checkPath(path);
    await using handle = await this.#about(path, () => StewardHandle.open(this.#link, path, false));
    if (handle === undefined) return undefined;
    const { kind, bytes, mode, uid, modified } = handle.facts;
    const owner = uid === owners.agent ? "agent" : uid === owners.root ? "root" : "other";
    return { type: kind, bytes, mode, owner, modifiedAt: modified * 1000 };
  }

  async list(path: string): Promise<readonly string[]> {
    checkPath(path);
    return this.#about(path, async () => {
      await using handle = await StewardHandle.open(this.#link, path, true);
      if (handle === undefined) throw unusablePath(path, "does not exist");
      if (handle.facts.kind !== "folder") throw unusablePath(path, "is not a folder");
      return (await handle.names()).map((name) => name.toString()).sort();
    });
  }

  async remove(path: string): Promise<void> {
    splitParent(path);
    await this.#ask(path, ["remove", path]);
  }

  async #uploadEntry(from: string, stats: Stats, path: string, owner: Owner, mask: number): Promise<void> {
    if (stats.isDirectory()) {
      await this.#ask(path, ["folder", path, owners[owner], ""]);
      for (const name of readdirSync(from).sort()) {
        const inner = join(from, name);
        await this.#uploadEntry(inner, lstatSync(inner), join(path, name), owner, mask);
      }
      await this.#ask(path, [
        "folder",
        path,
        owners[owner],
        stats.mode & mask,
        mask === readOnlyMask ? 1 : 0,
      ]);
    } else if (stats.isSymbolicLink()) {
      await this.#ask(path, ["link", path, readlinkSync(from), owners[owner]]);
    } else if (stats.isFile()) {
      const pieces = createReadStream(from, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>;
      await this.#put(path, pieces, stats.mode & mask, owner, stats.mtimeMs / 1000);
    } else {
      throw new AleError({
        code: "host-path",
        message: `${from} is neither a file, a folder nor a link, and cannot be copied into a sandbox.`,
        fields: { path: from },
      });
    }
  }

  async #put(
    path: string,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    mode: number,
    owner: Owner,
    modified: number | undefined,
  ): Promise<void> {
    const question = ["put", path, owners[owner], mode, modified ?? ""];
    await this.#about(path, () =>
      this.#link.answer("F", question, async (channel) => {
        for await (const piece of pieces) {
          this.#link.send("I", channel, piece);
          await this.#link.drained();
        }
        this.#link.send("E", channel);
      }),
    );
  }

  #ask(path: string, fields: readonly (string | number)[]): Promise<readonly Buffer[]> {
    return this.#about(path, () => this.#link.ask("F", fields));
  }

  /** What the steward refuses is about the path. */
  async #about<T>(path: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof StewardRefusal) throw unusablePath(path, error.message, error);
      throw error;
    }
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
