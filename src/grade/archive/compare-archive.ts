import type { Outcome } from "../outcome.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { setAgreement } from "../sequence/set-agreement.ts";
import type { ArchiveEntry, ArchiveInspection } from "./archive-inspection.ts";

/** Content expected of an archive: digests (`sha256:…`) by path. */
export type ExpectedMembers = Readonly<Record<string, string>>;

export interface ArchiveComparison {
  /** Members that are not expected cost nothing. Default false. */
  readonly allowExtra?: boolean;
}

/** The entries of an archive that was read, or the outcome that its refusal earns. */
export function archiveEntries(inspection: ArchiveInspection, name: string): Read<readonly ArchiveEntry[]> {
  switch (inspection.kind) {
    case "entries":
      return ok(inspection.entries);
    case "refused":
      return bad(`${name} is refused (${inspection.code}): ${inspection.message}`);
    case "not-archive":
      return bad(`${name} is not a ZIP, tar or gzip file.`);
  }
}

/**
 * F1 over the files of an archive, where a file is right when its path and its content are; with `allowExtra` the
 * recall. Folders, times and permissions do not matter; a link is never the file it points to.
 */
export function compareArchive(
  entries: readonly ArchiveEntry[],
  expected: ExpectedMembers,
  options: ArchiveComparison = {},
): Outcome {
  const found = entries
    .filter((entry) => entry.type !== "folder")
    .map((entry) => [entry.path, entry.type === "file" ? entry.digest : `link to ${entry.target}`]);
  return setAgreement(found, Object.entries(expected), {
    score: options.allowExtra === true ? "recall" : "f1",
  });
}
