import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageFile } from "../package-files.ts";

/** A place that a scaffold leaves for the author to write: `[[fill: what belongs here]]`. */
export interface UnfilledMark {
  /** What is to be written there, in one word where there is one: the key it stands at in `task.yaml`, else its file. */
  readonly name: string;
  /** What belongs there. */
  readonly wanted: string;
  /** In the package, with forward slashes. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

const mark = /\[\[fill:\s*([^\]]*)\]\]/g;
const written = /\.(ya?ml|md|ts)$/;

/** The marks left in the files of a package that an author writes, not in the data; the manifest's first. */
export async function findMarks(
  dir: string,
  files: readonly PackageFile[],
): Promise<readonly UnfilledMark[]> {
  const marks: UnfilledMark[] = [];
  for (const { path } of files) {
    if (!written.test(path) || /^(input|reference|staged)\//.test(path)) continue;
    const text = await readFile(join(dir, path), "utf8");
    for (const match of text.matchAll(mark)) {
      const before = text.slice(0, match.index).split("\n");
      const start = before.at(-1) ?? "";
      const key = path === "task.yaml" ? /^\s*(\w+):/.exec(start)?.[1] : undefined;
      marks.push({
        name: key ?? path,
        wanted: match[1] ?? "",
        path,
        line: before.length,
        column: start.length + 1,
      });
    }
  }
  return marks.sort((a, b) => Number(b.path === "task.yaml") - Number(a.path === "task.yaml"));
}
