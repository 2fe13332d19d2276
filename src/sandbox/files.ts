import type { Artifact } from "../contract/artifact.ts";

export interface FileStat {
  readonly type: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Permission bits. */
  readonly mode: number;
  readonly owner: "agent" | "root" | "other";
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt: number;
}

export interface DownloadLimits {
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly maxDepth: number;
}

/** Every file met, with what became of it. A refused file is not copied; a folder with refusals is. */
export interface DownloadReport {
  /** Paths relative to the downloaded path; for a single file, its base name. */
  readonly files: readonly Extract<Artifact, { state: "taken" | "refused" }>[];
  readonly bytes: number;
}
