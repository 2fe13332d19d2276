import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import { listPackage } from "../package-files.ts";
import type { TaskPackage } from "../task-package.ts";

/** What a scaffold leaves for the author to replace: `[[fill: what belongs here]]`. */
const mark = /\[\[fill:\s*([^\]]*)\]\]/g;
const written = /\.(ya?ml|md|ts)$/;

/** Reads the files an author writes, not the data, for what a strict reader lets pass. */
export async function lintPackage(task: TaskPackage): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { files } = await listPackage(task.dir);
  for (const { path } of files) {
    if (!written.test(path) || /^(input|reference|staged)\//.test(path)) continue;
    const text = await readFile(join(task.dir, path), "utf8");
    for (const match of text.matchAll(mark)) {
      const before = text.slice(0, match.index).split("\n");
      findings.push({
        severity: "error",
        code: "unfilled-mark",
        message: `still to be written: ${match[1]}`,
        remedy: "replace the mark, brackets and all",
        path: join(task.dir, path),
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
      });
    }
  }
  return findings;
}
