import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../source-imports.ts";

/** Changes of a manifest's text: what stands there, and what is to stand in its place. */
type Changes = readonly (readonly [string, string])[];

const needsScreen: Changes = [
  ["interface: [shell]", "interface: [desktop]"],
  ["memory_mb: 512", "memory_mb: 1024"],
];

/** Lays out the workflow that asks for the sum of a column, with more of its manifest changed. */
async function laySumTask(folder: string, changes: Changes): Promise<void> {
  await cp(join(repositoryRoot, "test", "tasks", "computing_math", "sum_column"), folder, {
    recursive: true,
  });
  const path = join(folder, "task.yaml");
  const manifest = await readFile(path, "utf8");
  await writeFile(
    path,
    changes.reduce((text, [from, to]) => text.replace(from, to), manifest),
  );
}

/** Lays it out below `root` to be done at a screen, and nowhere else. */
export async function laySumAtScreen(root: string, changes: Changes = []): Promise<void> {
  await laySumTask(join(root, "computing_math", "sum_column"), [
    ...needsScreen,
    ["interface: [desktop]", "interface: [desktop]\nrequired_channel: desktop"],
    ...changes,
  ]);
}

/**
 * Lays it out below `root` for machines that run Windows, with parts of its own to be run there: one that leaves a mark for
 * the other, which hands it in as evidence.
 */
export async function laySumInWindows(root: string, atScreen: boolean): Promise<void> {
  const folder = join(root, "computing_math", "sum_column");
  await laySumTask(folder, [
    ...(atScreen ? needsScreen : []),
    ["sandbox: { cpus: 1,", "sandbox: { os: windows, cpus: 1,"],
  ]);
  const path = join(folder, "main.ts");
  const program = await readFile(path, "utf8");
  const parts = `
  setup({ home }) {
    writeFileSync(join(home, "set-up.txt"), "set up");
  },

  collect({ output }) {
    mkdirSync(join(output, "evidence"), { recursive: true });
    copyFileSync(join(output, "..", "set-up.txt"), join(output, "evidence", "collected.txt"));
  },
`;
  await writeFile(
    path,
    program
      .replace(
        "import { readFileSync, writeFileSync }",
        "import { copyFileSync, mkdirSync, readFileSync, writeFileSync }",
      )
      .replace("\n  grade({", `${parts}\n  grade({`),
  );
}

/** Lays out two workflows below `root` that ask for the sum of a column: in a shell, and at a desktop. */
export async function laySumTasks(root: string): Promise<void> {
  await laySumTask(join(root, "computing_math", "sum_column"), []);
  await laySumTask(join(root, "computing_math", "sum_at_desktop"), [
    ...needsScreen,
    ["id: computing_math/sum_column", "id: computing_math/sum_at_desktop"],
    ["title: Sum a column", "title: Sum a column at a desktop"],
  ]);
}
