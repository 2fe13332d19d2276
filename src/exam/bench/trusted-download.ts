import type { DownloadLimits } from "../../sandbox/files.ts";

/** More than any instance has: a task's own programs are trusted, and the disk of their machine is limited. */
export const trustedDownload: DownloadLimits = {
  maxBytes: 64 * 1024 ** 3,
  maxFiles: 1_000_000,
  maxDepth: 64,
};
