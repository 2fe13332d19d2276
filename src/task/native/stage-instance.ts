import { join } from "node:path";
import { createRandom } from "../../contract/random.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { copyWritable } from "../copy-writable.ts";
import { isFolder } from "../is-folder.ts";
import type { TaskDefinition } from "../task-definition.ts";
import type { TaskInstance } from "../task-package.ts";

/** Makes `input/` and `reference/` of an instance in a folder: the package's own files, then what it generates. */
export async function stageInstance(
  definition: TaskDefinition,
  packageDir: string,
  instance: TaskInstance,
  into: string,
): Promise<{ readonly input: string; readonly reference: string }> {
  const staged = { input: join(into, "input"), reference: join(into, "reference") };
  for (const name of ["input", "reference"] as const) {
    await makeFolder(staged[name]);
    const own = join(packageDir, name);
    if (await isFolder(own)) await copyWritable(own, staged[name]);
  }
  const { id, seed, params } = instance;
  await definition.generate?.({ instance: id, seed, params, ...staged, random: createRandom(seed) });
  return staged;
}
