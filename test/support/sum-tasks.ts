import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../source-imports.ts";

/** Lays out two workflows below `root` that ask for the sum of a column: in a shell, and at a desktop. */
export async function laySumTasks(root: string): Promise<void> {
  const from = join(repositoryRoot, "test", "tasks", "computing_math", "sum_column");
  await cp(from, join(root, "computing_math", "sum_column"), { recursive: true });
  const atDesktop = join(root, "computing_math", "sum_at_desktop");
  await cp(from, atDesktop, { recursive: true });
  const manifest = await readFile(join(atDesktop, "task.yaml"), "utf8");
  await writeFile(
    join(atDesktop, "task.yaml"),
    manifest
      .replace("id: computing_math/sum_column", "id: computing_math/sum_at_desktop")
      .replace("title: Sum a column", "title: Sum a column at a desktop")
      .replace("interface: [shell]", "interface: [desktop]")
      .replace("memory_mb: 512", "memory_mb: 1024"),
  );
}
