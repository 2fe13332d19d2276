import type { DeskFile } from "../../contract/sitting-desk.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

const mostFiles = 500;
const deepest = 8;

/** Plain files below a folder of the machine, by path. Links are left out; so is what is too much to be read by a person. */
export async function listFiles(
  sandbox: Pick<Sandbox, "stat" | "list">,
  root: string,
): Promise<readonly DeskFile[]> {
  const files: DeskFile[] = [];

  async function visit(path: string, depth: number): Promise<void> {
    for (const name of await sandbox.list(`${root}${path}`)) {
      if (files.length >= mostFiles) return;
      const below = `${path}/${name}`;
      const stat = await sandbox.stat(`${root}${below}`);
      if (stat?.type === "folder" && depth < deepest) await visit(below, depth + 1);
      if (stat?.type === "file") files.push({ path: below.slice(1), bytes: stat.bytes });
    }
  }

  if ((await sandbox.stat(root))?.type === "folder") await visit("", 1);
  return files;
}
