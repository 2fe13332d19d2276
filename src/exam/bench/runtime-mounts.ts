import { access } from "node:fs/promises";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Mount } from "../../sandbox/provider.ts";
import type { TaskRuntime } from "./task-bench.ts";

/** Parts of our package a task program may import from; the tasks beside them stay out of sight. */
const parts = ["package.json", "src", "dist"] as const;

/** Shows our package, its dependencies and Node inside a trusted sandbox, so that a task's program runs there. */
export async function runtimeMounts(runtime: TaskRuntime): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const part of parts) {
    const source = join(runtime.packageRoot, part);
    if (await exists(source)) mounts.push({ source, target: `${sandboxLayout.runtime}/${part}` });
  }
  mounts.push({ source: runtime.nodeModules, target: `${sandboxLayout.runtime}/node_modules` });
  mounts.push({ source: runtime.nodeBinary, target: sandboxLayout.node });
  return mounts;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
