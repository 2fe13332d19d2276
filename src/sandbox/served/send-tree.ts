import { createReadStream, lstatSync, type Stats } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";

/** Writes a host file, link or folder as the records that the machine's program puts in place. */
export async function sendTree(hostPath: string, path: string, into: Writable): Promise<void> {
  const stats = statOf(hostPath);
  if (stats.isDirectory()) {
    await send(into, { kind: "folder", path });
    await sendFolder(hostPath, path, into);
  } else await sendEntry(hostPath, path, stats, into);
}

async function sendFolder(hostPath: string, path: string, into: Writable): Promise<void> {
  for (const name of (await readdir(hostPath)).sort()) {
    const from = join(hostPath, name);
    const to = `${path}/${name}`;
    const stats = statOf(from);
    if (!stats.isDirectory()) {
      await sendEntry(from, to, stats, into);
      continue;
    }
    await send(into, { kind: "folder", path: to });
    await sendFolder(from, to, into);
    await send(into, { kind: "folder", path: to, mode: stats.mode & 0o777 });
  }
}

async function sendEntry(from: string, path: string, stats: Stats, into: Writable): Promise<void> {
  if (stats.isSymbolicLink()) {
    await send(into, { kind: "link", path, to: await readlink(from) });
    return;
  }
  if (!stats.isFile()) {
    throw new AleError({
      code: "host-path",
      message: `${from} is neither a file, a folder nor a link, and cannot be copied into a sandbox.`,
      fields: { path: from },
    });
  }
  const { size, mode, mtimeMs } = stats;
  await send(into, { kind: "file", path, size, mode: mode & 0o777, modified: mtimeMs / 1000 });
  // A file that grows meanwhile is sent as it was.
  if (size === 0) return;
  for await (const piece of createReadStream(from, { end: size - 1 })) await write(into, piece as Buffer);
}

/** A file whose content is at hand. */
export async function sendContent(
  path: string,
  content: Uint8Array,
  mode: number,
  into: Writable,
): Promise<void> {
  await send(into, { kind: "file", path, size: content.length, mode });
  if (content.length > 0) await write(into, content);
}

async function send(into: Writable, record: Readonly<Record<string, string | number>>): Promise<void> {
  await write(into, `${JSON.stringify(record)}\n`);
}

/** Resolves when more may be written; one that was closed takes all there is, and its answer tells why. */
async function write(into: Writable, content: Uint8Array | string): Promise<void> {
  if (into.destroyed || into.write(content)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      into.off("drain", goOn).off("close", goOn);
      resolve();
    };
    into.on("drain", goOn).on("close", goOn);
  });
}

/** Throws an `AleError` coded `host-path` for what is absent. */
function statOf(path: string): Stats {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) return stats;
  throw new AleError({ code: "host-path", message: `${path} does not exist.`, fields: { path } });
}
