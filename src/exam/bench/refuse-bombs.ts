import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../../contract/artifact.ts";
import { inspectArchive } from "../../grade/archive/inspect-archive.ts";

/**
 * Refuses taken archives (ZIP and its office relatives, tar, gzip; told by content) that a grader had better not
 * unpack: bombs, links, names that climb out. They are removed from `into`. A damaged archive stays: to judge it is
 * the grader's business.
 */
export async function refuseBombs(
  artifacts: readonly Artifact[],
  into: string,
): Promise<readonly Artifact[]> {
  const kept: Artifact[] = [];
  for (const artifact of artifacts) kept.push(await inspect(artifact, into));
  return kept;
}

async function inspect(artifact: Artifact, into: string): Promise<Artifact> {
  if (artifact.state !== "taken") return artifact;
  const path = join(into, artifact.path);
  const inspection = await inspectArchive(path);
  if (inspection.kind !== "refused" || inspection.code === "unreadable") return artifact;
  await rm(path);
  return { state: "refused", path: artifact.path, code: inspection.code, message: inspection.message };
}
