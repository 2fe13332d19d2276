import { cp, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { isFolder } from "../../task/is-folder.ts";
import type { StagedInstance } from "../../task/qc/workbench.ts";
import type { TaskInstance, TaskPackage } from "../../task/task-package.ts";
import { makeReadable } from "./host-folders.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { makeInstance, stagedIn, stageInstance } from "./stage-instance.ts";
import type { TaskBench } from "./task-bench.ts";

/** A package whose parts can be run, for as long as it is held. */
export interface OpenTask extends AsyncDisposable {
  /** Never sealed. */
  readonly task: TaskPackage;
  stage(instance: TaskInstance): Promise<StagedInstance>;
  /** A copy without reference and input: what may, for a moment, be on the agent's machine. */
  withoutReference(): Promise<string>;
}

/**
 * Opens a package. A sealed one is unsealed into a private folder that is removed when disposed of, and nothing
 * of it enters a cache. Rejects with an `AleError` coded `sealed-without-key`.
 */
export async function openTask(bench: TaskBench, task: TaskPackage): Promise<OpenTask> {
  if (!task.sealed) return plainTask(bench, task);
  if (bench.unseal === undefined) throw withoutKey(task);
  const folder = await makePrivateFolder(bench.tempDir, "unsealed");
  const close = (): Promise<void> => Promise.resolve(folder[Symbol.asyncDispose]());
  try {
    const opened = await bench.unseal(task, join(folder.dir, "package"));
    await makeReadable(opened.dir);
    return {
      task: opened,
      async stage(instance) {
        const place = join(folder.dir, "staged", instance.variant);
        if (!(await isFolder(place))) await makeInstance(bench, opened, instance, place);
        return stagedIn(join(place, "instance"));
      },
      async withoutReference() {
        const copy = join(folder.dir, "without-reference");
        if (!(await isFolder(copy))) await copyWithoutReference(opened, copy);
        return copy;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Cached by content. */
function plainTask(bench: TaskBench, task: TaskPackage): OpenTask {
  return {
    task,
    stage: (instance) => stageInstance(bench, task, instance),
    async withoutReference() {
      const packages = join(bench.cacheDir, "packages");
      const place = join(packages, task.contentHash.replace(":", "-"));
      if (await isFolder(place)) return place;
      await using draft = await makePrivateFolder(packages, "package");
      const copy = join(draft.dir, "task");
      await copyWithoutReference(task, copy);
      try {
        await rename(copy, place);
      } catch (error) {
        if (!(await isFolder(place))) throw error;
      }
      return place;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Top-level folders of a package that an agent's machine must not see, or gets otherwise. */
const leftOut = new Set(["reference", "input"]);

async function copyWithoutReference(task: TaskPackage, to: string): Promise<void> {
  await cp(task.dir, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !leftOut.has(relative(task.dir, source)),
  });
  await makeReadable(to);
}

function withoutKey(task: TaskPackage): AleError {
  return new AleError({
    code: "sealed-without-key",
    message: `${task.manifest.id} is sealed, and there is no key`,
    remedy: "Give the key of its pool.",
    fields: { task: task.manifest.id },
  });
}
