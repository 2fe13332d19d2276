import { Buffer } from "node:buffer";
import { lstatSync } from "node:fs";
import { AleError } from "../../contract/ale-error.ts";
import { listAt, numberAt, textAt } from "../../contract/json-fields.ts";
import { checkPath, splitParent } from "../files/sandbox-path.ts";
import type { DownloadLimits, DownloadReport, FileStat } from "../files.ts";
import type { ChangedPath } from "../sandbox.ts";
import type { MachineChannel } from "./machine-channel.ts";
import { accepted, type MachineClient } from "./machine-client.ts";
import { receiveTree } from "./receive-tree.ts";
import { sendContent, sendTree } from "./send-tree.ts";

export type Owner = "agent" | "root";

/** The trusted side's files on a served machine. */
export class ServedFiles {
  readonly #client: () => Promise<MachineClient>;

  constructor(client: () => Promise<MachineClient>) {
    this.#client = client;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    checkPath(path);
    const channel = (await this.#client()).channel({ op: "read", path, maxBytes });
    channel.stderr.resume();
    const pieces: Buffer[] = [];
    for await (const piece of channel.stdout) pieces.push(piece as Buffer);
    accepted(await channel.answer);
    return new Uint8Array(Buffer.concat(pieces));
  }

  async write(path: string, content: Uint8Array | string, mode: number, owner: Owner): Promise<void> {
    const clean = normal(path);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await this.#put(owner, (into) => sendContent(clean, bytes, mode, into));
  }

  async upload(hostPath: string, path: string, owner: Owner): Promise<void> {
    const clean = normal(path);
    if (lstatSync(hostPath, { throwIfNoEntry: false }) === undefined) {
      const message = `${hostPath} does not exist.`;
      throw new AleError({ code: "host-path", message, fields: { path: hostPath } });
    }
    await this.#put(owner, (into) => sendTree(hostPath, clean, into));
  }

  async seal(path: string): Promise<void> {
    await (await this.#client()).request({ op: "seal", path: normal(path) });
  }

  async download(path: string, hostPath: string, limits: DownloadLimits): Promise<DownloadReport> {
    const channel = (await this.#client()).channel({
      op: "take",
      path: normal(path),
      limits: { ...limits },
    });
    channel.stderr.resume();
    const report = await receiveTree(channel.stdout, hostPath, limits);
    accepted(await channel.answer);
    return report;
  }

  async stat(path: string): Promise<FileStat | undefined> {
    checkPath(path);
    const told = await (await this.#client()).request({ op: "stat", path });
    if (told["absent"] === true) return undefined;
    return {
      type: (textAt(told, "type") ?? "other") as FileStat["type"],
      bytes: numberAt(told, "bytes") ?? 0,
      mode: numberAt(told, "mode") ?? 0,
      owner: (textAt(told, "owner") ?? "other") as FileStat["owner"],
      modifiedAt: numberAt(told, "modifiedAt") ?? 0,
    };
  }

  async list(path: string): Promise<readonly string[]> {
    checkPath(path);
    const told = await (await this.#client()).request({ op: "list", path });
    return listAt(told, "names").map(String).sort();
  }

  async remove(path: string): Promise<void> {
    await (await this.#client()).request({ op: "remove", path: normal(path) });
  }

  async mark(): Promise<void> {
    await (await this.#client()).request({ op: "mark" });
  }

  async changes(limit: number): Promise<readonly ChangedPath[]> {
    const told = await (await this.#client()).request({ op: "changes", limit });
    return listAt(told, "changes").map((pair) => ({
      path: textAt(pair, 0) ?? "",
      change: textAt(pair, 1) === "deleted" ? "deleted" : "created-or-changed",
    }));
  }

  async #put(owner: Owner, write: (into: MachineChannel["stdin"]) => Promise<void>): Promise<void> {
    const channel = (await this.#client()).channel({ op: "put", owner, stdin: true });
    channel.stdout.resume();
    channel.stderr.resume();
    try {
      await write(channel.stdin);
    } catch (error) {
      channel.end(false);
      throw error;
    } finally {
      channel.stdin.end();
    }
    accepted(await channel.answer);
  }
}

/** An absolute path without `.` and doubled slashes, with a last name. */
function normal(path: string): string {
  const [parent, name] = splitParent(path);
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}
