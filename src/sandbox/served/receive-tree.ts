import { createHash } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import type { RefusalCode } from "../../contract/artifact.ts";
import type { DownloadLimits, DownloadReport } from "../files.ts";
import { PieceReader } from "./piece-reader.ts";

type DownloadedFile = DownloadReport["files"][number];

interface TreeRecord {
  readonly top?: boolean;
  readonly folder?: string;
  readonly file?: string;
  readonly size?: number;
  readonly mode?: number;
  readonly unchanged?: boolean;
  readonly refused?: string;
  readonly code?: RefusalCode;
  readonly message?: string;
}

/**
 * Writes down what the machine's program hands out of a tree. It has refused what is unsafe already; that no name leads
 * out of `hostPath` and that the limits hold is checked here again, as the machine may be in other hands by now.
 */
export async function receiveTree(
  stream: Readable,
  hostPath: string,
  limits: DownloadLimits,
): Promise<DownloadReport> {
  const reader = new PieceReader(stream);
  const files: DownloadedFile[] = [];
  let bytes = 0;
  let isFolder = false;
  const place = (path: string): string => {
    const names = path.split("/");
    const odd = names.some((name) => name === "" || name === "." || name === ".." || /[\0\\]/.test(name));
    if (odd || (!isFolder && names.length > 1)) throw broken(`a path ${JSON.stringify(path)}`);
    return isFolder ? join(hostPath, path) : hostPath;
  };
  for (;;) {
    const line = await reader.line();
    if (line === undefined) break;
    const record = JSON.parse(line) as TreeRecord;
    if (record.top === true) {
      isFolder = true;
      await mkdir(hostPath);
    } else if (record.folder !== undefined) {
      await mkdir(place(record.folder));
    } else if (record.refused !== undefined) {
      const { refused, code = "unreadable", message = "" } = record;
      files.push({ state: "refused", path: refused, code, message });
    } else if (record.file !== undefined && record.size !== undefined) {
      bytes += record.size;
      if (bytes > limits.maxBytes || files.length > limits.maxFiles) throw broken("more than was asked for");
      const taken = await receiveFile(reader, place(record.file), record.file, record.size, record.mode ?? 0);
      if (taken.state === "refused") bytes -= record.size;
      files.push(taken);
    }
  }
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)), bytes };
}

async function receiveFile(
  reader: PieceReader,
  target: string,
  path: string,
  size: number,
  mode: number,
): Promise<DownloadedFile> {
  const hash = createHash("sha256");
  const file = await open(target, "wx", 0o600);
  try {
    for (let left = size; left > 0; ) {
      const piece = await reader.some(left);
      if (piece.length === 0) throw broken("an end in the middle of a file");
      hash.update(piece);
      await file.writeFile(piece);
      left -= piece.length;
    }
  } finally {
    await file.close();
  }
  const after = JSON.parse((await reader.line()) ?? "{}") as TreeRecord;
  if (after.unchanged !== true) {
    await rm(target);
    const message = "it was changed while it was read";
    return { state: "refused", path, code: "changed-while-read", message };
  }
  return { state: "taken", path, bytes: size, digest: `sha256:${hash.digest("hex")}`, mode: mode & 0o777 };
}

function broken(what: string): AleError {
  return new AleError({ code: "machine-server", message: `The machine handed out ${what}.` });
}
