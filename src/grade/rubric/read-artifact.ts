import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { quote } from "../quote.ts";
import { parseJson } from "../structure/parse-json.ts";
import type { StructureLimits } from "../structure/structure-limits.ts";
import { bad, ok, type Read } from "./read.ts";

export interface ReadLimits {
  /** Largest file read, in bytes: default 64 MiB, for text and JSON 16 MiB. */
  readonly maxBytes?: number;
}

const mebibyte = 1024 * 1024;

/**
 * The path of a regular file within `dir`, with links resolved; bad when the path leaves `dir` (by `..`, by being
 * absolute, or through a link), or the file is absent, a folder or device, or over the limit. Throws an `AleError`
 * coded `artifacts-missing` when `dir` itself is not there.
 * @param path relative, forward slashes; may come from an artifact.
 */
export async function locateArtifact(
  dir: string,
  path: string,
  limits: ReadLimits = {},
): Promise<Read<string>> {
  const opened = await openArtifact(dir, path, limits.maxBytes ?? 64 * mebibyte);
  if (opened.kind === "bad") return opened;
  await opened.value.handle.close();
  return ok(opened.value.path);
}

/** The bytes of an artifact; bad as {@link locateArtifact} says. */
export async function readBytes(dir: string, path: string, limits: ReadLimits = {}): Promise<Read<Buffer>> {
  const maxBytes = limits.maxBytes ?? 64 * mebibyte;
  const opened = await openArtifact(dir, path, maxBytes);
  if (opened.kind === "bad") return opened;
  await using handle = opened.value.handle;
  const bytes = Buffer.allocUnsafe(opened.value.bytes);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return ok(bytes.subarray(0, filled));
}

/** The text of an artifact: UTF-8, without a byte order mark; bad when it is not UTF-8. */
export async function readText(dir: string, path: string, limits: ReadLimits = {}): Promise<Read<string>> {
  const read = await readBytes(dir, path, { maxBytes: limits.maxBytes ?? 16 * mebibyte });
  if (read.kind === "bad") return read;
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(read.value));
  } catch {
    return bad(`${quote(path)} is not UTF-8 text.`);
  }
}

/** The JSON value of an artifact, as {@link parseJson} gives it. */
export async function readJson(
  dir: string,
  path: string,
  limits: ReadLimits & StructureLimits = {},
): Promise<Read<JsonValue>> {
  const text = await readText(dir, path, limits);
  return text.kind === "bad" ? text : parseJson(text.value, quote(path), limits);
}

interface Opened {
  readonly handle: FileHandle;
  readonly path: string;
  readonly bytes: number;
}

async function openArtifact(dir: string, path: string, maxBytes: number): Promise<Read<Opened>> {
  const name = quote(path);
  if (!isInside(path)) return bad(`${name} is not a path within the output.`);
  const root = await realFolder(dir);
  let resolved: string;
  let handle: FileHandle;
  try {
    resolved = await realpath(join(root, path));
    if (!resolved.startsWith(root === sep ? root : root + sep))
      return bad(`${name} leads out of the output.`);
    // Non-blocking, so that a named pipe cannot hang the grader.
    handle = await open(resolved, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return bad(`${name} is missing.`);
    return bad(`${name} cannot be read (${code ?? "unknown error"}).`);
  }
  const stat = await handle.stat();
  if (stat.isFile() && stat.size <= maxBytes) return ok({ handle, path: resolved, bytes: stat.size });
  await handle.close();
  if (!stat.isFile()) return bad(`${name} is not a regular file.`);
  return bad(`${name} is too large: ${stat.size} bytes, at most ${maxBytes} are read.`);
}

async function realFolder(dir: string): Promise<string> {
  try {
    return await realpath(dir);
  } catch (cause) {
    throw new AleError({
      code: "artifacts-missing",
      message: `The folder to read from, ${dir}, is not there.`,
      remedy: "Pass the artifacts or reference folder of the grading context.",
      fields: { dir },
      cause,
    });
  }
}

function isInside(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\") || path.startsWith("/")) return false;
  return !path.split("/").includes("..");
}
