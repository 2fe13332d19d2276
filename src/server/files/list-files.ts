import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { orAbsent } from "../../files/or-absent.ts";
import { mapLimited } from "../../record/map-limited.ts";
import type { RecordFile } from "../api/trial-view.ts";
import { fileKind } from "./file-kind.ts";
import { openFolders } from "./safe-path.ts";

/** More files than this are not listed; the folder itself has them. */
export const mostFiles = 2000;

/** Output of the grader: it may quote the reference. */
export function isForMaintainers(path: string): boolean {
  return path.startsWith("logs/grader.");
}

/** The files of an attempt that pages may open, by path. Links are not listed. */
export async function listFiles(attemptDir: string, maintainer: boolean): Promise<readonly RecordFile[]> {
  const paths: string[] = [];
  for (const folder of openFolders) {
    const root = join(attemptDir, folder);
    const entries = (await orAbsent(readdir(root, { recursive: true, withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = relative(attemptDir, join(entry.parentPath, entry.name)).split(sep).join("/");
      if (maintainer || !isForMaintainers(path)) paths.push(path);
    }
  }
  const shown = paths.sort().slice(0, mostFiles);
  return mapLimited(shown, 16, async (path) => {
    const found = await orAbsent(stat(join(attemptDir, path)));
    return { path, bytes: found?.size ?? 0, preview: fileKind(path).preview };
  });
}
