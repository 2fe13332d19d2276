import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { ArchiveGuard, ArchiveRefusal, MemberDigest } from "./archive-guard.ts";
import type { ArchiveFormat, ArchiveInspection, ArchiveLimits } from "./archive-inspection.ts";
import { readTar } from "./read-tar.ts";
import { readZip } from "./read-zip.ts";

/**
 * Reads a ZIP, tar, tar.gz or gzip file to its end, unpacking to nowhere, and lists its members with digests; or
 * says why it is refused: `archive-bomb`, `too-many-files`, `too-deep`, `unsafe-name` (absolute, climbing out, odd
 * characters, or two members of one name), `link-out`, `special-file`, `unreadable` (damaged, cut off, encrypted).
 * Formats are told by content, not by name; archives within archives are members like any other. A plain gzip
 * file has one member, called as the file without `.gz`. Memory does not grow with the file.
 *
 * @param path a regular file on the host. Throws an `AleError` coded `archive-misuse` when it cannot be opened.
 */
export async function inspectArchive(path: string, limits: ArchiveLimits = {}): Promise<ArchiveInspection> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const format = await detectFormat(file);
  if (format === undefined) return { kind: "not-archive" };
  const guard = new ArchiveGuard(limits, size);
  try {
    await readAs(format, file, guard, limits, basename(path));
    return { kind: "entries", format, entries: guard.entries };
  } catch (error) {
    if (error instanceof ArchiveRefusal) return { kind: "refused", code: error.code, message: error.message };
    return refusalOf(error);
  }
}

async function readAs(
  format: ArchiveFormat,
  file: FileHandle,
  guard: ArchiveGuard,
  limits: ArchiveLimits,
  name: string,
): Promise<void> {
  const { size } = await file.stat();
  switch (format) {
    case "zip":
      return readZip(file.fd, guard);
    case "tar":
      return readTar(readFrom(file), guard);
    case "tar.gz": {
      // The headers and padding of an endless tar are bytes too.
      const stream = new ArchiveGuard({ maxBytes: 2 * (limits.maxBytes ?? 1024 ** 3), maxRatio: 1100 }, size);
      return readTar(counted(gunzip(file), stream), guard);
    }
    case "gzip": {
      const digest = new MemberDigest(guard);
      for await (const chunk of gunzip(file)) digest.take(chunk);
      guard.keep(digest.finish(name.replace(/\.gz$/i, "") || "content"));
    }
  }
}

/** What the readers' own libraries complain of is always the archive's fault. */
function refusalOf(error: unknown): ArchiveInspection {
  const message = error instanceof Error ? error.message : String(error);
  const unsafe = /invalid relative path|absolute path|invalid characters in fileName/.test(message);
  return {
    kind: "refused",
    code: unsafe ? "unsafe-name" : "unreadable",
    message: `Not sound: ${quote(message, 120)}.`,
  };
}

async function detectFormat(file: FileHandle): Promise<ArchiveFormat | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const head = buffer.subarray(0, bytesRead);
  if (["504b0304", "504b0506"].includes(head.subarray(0, 4).toString("hex"))) return "zip";
  if (head[0] === 0x1f && head[1] === 0x8b) return (await startsAsTar(gunzip(file))) ? "tar.gz" : "gzip";
  if (isTarHeader(head)) return "tar";
  return (await endsAsZip(file)) ? "zip" : undefined;
}

/** ZIP readers look for the end record, so that a file may start with anything and still be one. */
async function endsAsZip(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const length = Math.min(size, 22 + 0xffff);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  for (let at = buffer.lastIndexOf("PK\x05\x06"); at >= 0; at = buffer.lastIndexOf("PK\x05\x06", at - 1)) {
    if (at + 22 <= length && at + 22 + buffer.readUInt16LE(at + 20) === length) return true;
    if (at === 0) return false;
  }
  return false;
}

async function startsAsTar(unpacked: AsyncIterable<Uint8Array>): Promise<boolean> {
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of unpacked) {
      head = Buffer.concat([head, chunk.subarray(0, 512)]);
      if (head.length >= 512) break;
    }
  } catch {
    // Damage is reported by the reading proper.
    return false;
  }
  return isTarHeader(head.subarray(0, 512));
}

/** The header's checksum: the sum of its bytes with the checksum field as blanks (POSIX.1-1988). */
function isTarHeader(head: Uint8Array): boolean {
  if (head.length < 512) return false;
  const field = Buffer.from(head.subarray(148, 156)).toString("latin1").replace(/[\0 ]/g, "");
  if (!/^[0-7]+$/.test(field)) return false;
  let sum = 0;
  for (const [index, byte] of head.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  return sum === Number.parseInt(field, 8);
}

async function* readFrom(file: FileHandle): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (;;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(65_536), 0, 65_536, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function gunzip(file: FileHandle): AsyncIterable<Uint8Array> {
  const source = Readable.from(readFrom(file));
  const unpacked = createGunzip();
  source.on("error", (error) => unpacked.destroy(error));
  unpacked.on("close", () => source.destroy());
  return source.pipe(unpacked);
}

async function* counted(source: AsyncIterable<Uint8Array>, guard: ArchiveGuard): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    guard.count(chunk.length);
    yield chunk;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw new AleError({
      code: "archive-misuse",
      message: `${path} cannot be opened.`,
      remedy: "Pass the path of a regular file, as `locateArtifact` gives it.",
      fields: { path },
      cause,
    });
  }
}
