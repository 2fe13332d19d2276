import type { RefusalCode } from "../../contract/artifact.ts";

/** One member of an archive. */
export type ArchiveEntry =
  | {
      readonly type: "file";
      /** Relative, forward slashes, no `.` or `..`. */
      readonly path: string;
      readonly bytes: number;
      /** `sha256:` and 64 hex digits, of the unpacked bytes. */
      readonly digest: string;
    }
  | { readonly type: "folder"; readonly path: string }
  /** A symbolic or hard link that stays within the archive. */
  | { readonly type: "link"; readonly path: string; readonly target: string };

export type ArchiveFormat = "zip" | "tar" | "tar.gz" | "gzip";

/** What is in a file that may be an archive. */
export type ArchiveInspection =
  /** Read to its end and harmless; entries sorted by path. */
  | { readonly kind: "entries"; readonly format: ArchiveFormat; readonly entries: readonly ArchiveEntry[] }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly message: string }
  /** Does not start as an archive does. */
  | { readonly kind: "not-archive" };

export interface ArchiveLimits {
  /** Unpacked bytes of all members together, default 1 GiB. */
  readonly maxBytes?: number;
  /** Members, default 20,000. */
  readonly maxEntries?: number;
  /** Folders a member may lie deep, default 32. */
  readonly maxDepth?: number;
  /** Unpacked over packed bytes, default 200; not asked of archives that unpack to less than 16 MiB. */
  readonly maxRatio?: number;
}
