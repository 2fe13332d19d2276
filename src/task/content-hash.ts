import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { canonicalJson } from "../contract/canonical-json.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { TaskManifest } from "../contract/task-manifest.ts";
import { isPublicFile, type PackageFile } from "./package-files.ts";

/** `sha256:` and the 64 hex digits of a text or of bytes. */
function digestOf(data: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

/** The digest of a file, read as a stream. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return `sha256:${hash.digest("hex")}`;
}

/** One digest over files: sorted paths, contents, and whether each may be executed. Times and owners do not count. */
export async function digestOfFiles(dir: string, files: readonly PackageFile[]): Promise<string> {
  const lines: string[] = [];
  for (const file of files) {
    const digest = await digestOfFile(join(dir, file.path));
    lines.push(`${digest} ${file.executable ? "x" : "-"} ${file.path}\n`);
  }
  return digestOf(lines.join(""));
}

/** The two halves of a package's files, hashed apart so that a sealed package can be checked without its key. */
export interface FileDigests {
  /** What the agent may see, without `task.yaml`. */
  readonly open: string;
  /** The program, the reference and whatever else lies in the package. */
  readonly hidden: string;
}

/** Digests of the listed files of a package; its manifest is hashed as it is understood, elsewhere. */
export async function digestPackageFiles(dir: string, files: readonly PackageFile[]): Promise<FileDigests> {
  const counted = files.filter((file) => file.path !== "task.yaml");
  return {
    open: await digestOfFiles(
      dir,
      counted.filter((file) => isPublicFile(file.path)),
    ),
    hidden: await digestOfFiles(
      dir,
      counted.filter((file) => !isPublicFile(file.path)),
    ),
  };
}

/**
 * The content hash of a package: over every file but `task.yaml`, which counts as what it says, not how it is
 * written: defaults filled in, keys sorted, comments gone. Of the manifest these are left out, because they
 * reach neither the agent, the machine nor the grader: title, summary, taxonomy, tier, software, provenance,
 * pool, and the outputs' descriptions. So a task keeps its hash when it is re-filed, retitled, rotated into
 * another pool, or sealed.
 */
export function contentHash(manifest: TaskManifest, files: FileDigests): string {
  const { title, summary, taxonomy, tier, software, provenance, pool, outputs, ...scored } = manifest;
  const plainOutputs = outputs.map(({ description, ...output }) => output);
  const counted = { ...scored, outputs: plainOutputs } as unknown as JsonValue;
  return digestOf(["ale/content@1", canonicalJson(counted), files.open, files.hidden].join("\n"));
}
