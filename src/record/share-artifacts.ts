import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, lstat, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../contract/artifact.ts";
import { makeFolder } from "../files/make-folder.ts";
import { orAbsent } from "../files/or-absent.ts";
import { systemCode } from "../files/system-code.ts";

export interface ShareArtifactsOptions {
  /** The run's blob folder; made when needed. */
  readonly blobs: string;
  /** The attempt's `artifacts/`. */
  readonly artifacts: string;
  readonly files: readonly Artifact[];
  /** Smaller files are left alone. */
  readonly minBytes: number;
}

/**
 * Keeps equal large artifacts of different attempts once on the disk, as hard links to `blobs/<digest>-<mode>`.
 * Every name stays where it is. A file that does not match its recorded digest, or a file system without hard links,
 * is left as it is. Returns the bytes saved.
 */
export async function shareArtifacts(options: ShareArtifactsOptions): Promise<number> {
  let saved = 0;
  for (const file of options.files) {
    if (file.state !== "taken" || file.bytes < options.minBytes) continue;
    saved += await shareOne(join(options.artifacts, file.path), file, options.blobs);
  }
  return saved;
}

async function shareOne(
  path: string,
  file: Extract<Artifact, { state: "taken" }>,
  blobs: string,
): Promise<number> {
  const stat = await orAbsent(lstat(path));
  if (stat === undefined || !stat.isFile() || (await digestOf(path)) !== file.digest) return 0;
  await makeFolder(blobs);
  const blob = join(blobs, `${file.digest.slice("sha256:".length)}-${file.mode.toString(8)}`);
  try {
    await link(path, blob);
    return 0;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") return ignoreUnsupported(error);
  }
  const known = await lstat(blob);
  if (known.ino === stat.ino || (await digestOf(blob)) !== file.digest) return 0;
  const temporary = `${path}.${process.pid}.shared`;
  try {
    await link(blob, temporary);
    await rename(temporary, path);
    return file.bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    return ignoreUnsupported(error);
  }
}

/** Sharing only saves room: where the file system cannot link (any more), the copy stays. */
function ignoreUnsupported(error: unknown): number {
  const code = systemCode(error);
  if (code !== undefined && ["EPERM", "EMLINK", "ENOTSUP", "EXDEV", "ENOSYS"].includes(code)) return 0;
  throw error;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest("hex")}`;
}
