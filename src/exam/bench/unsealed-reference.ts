import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { StagedInstance } from "../../task/qc/workbench.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { copyFolder, makePrivateFolder, makeReadable } from "./host-folders.ts";
import type { TaskBench } from "./task-bench.ts";

/** A reference in plain, for as long as it is held. */
export interface OpenReference extends AsyncDisposable {
  readonly dir: string;
}

/**
 * The reference to grade with. That of a sealed package is unsealed into a private folder, removed when
 * disposed. Rejects with an `AleError` coded `sealed-without-key`.
 */
export async function openReference(
  bench: TaskBench,
  task: TaskPackage,
  staged: StagedInstance,
): Promise<OpenReference> {
  if (!task.sealed) return { dir: staged.reference, [Symbol.asyncDispose]: async () => undefined };
  if (bench.unseal === undefined) {
    throw new AleError({
      code: "sealed-without-key",
      message: `the reference of ${task.manifest.id} is sealed, and there is no key`,
      remedy: "Give the key of its pool.",
      fields: { task: task.manifest.id },
    });
  }
  const folder = await makePrivateFolder(bench.tempDir, "ale-reference-");
  try {
    const dir = join(folder.dir, "reference");
    await copyFolder(staged.reference, dir);
    await bench.unseal(task, dir);
    await makeReadable(dir);
    return { dir, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}
