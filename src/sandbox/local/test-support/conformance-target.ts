import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConformanceTarget } from "../../conformance/conformance-case.ts";
import type { SandboxProvider } from "../../provider.ts";
import { createLocalProvider } from "../local-provider.ts";
import { hostClock } from "./host-clock.ts";

/** A local provider that keeps its state in the folder. */
export function providerIn(stateDir: string): SandboxProvider {
  let made = 0;
  return createLocalProvider({
    stateDir,
    clock: hostClock,
    ids: () => `test-${process.pid}-${made++}`,
    ownerPid: process.pid,
  });
}

/** What the suite needs, in folders of its own below `folder`. */
export async function localTarget(folder: string): Promise<ConformanceTarget> {
  const stateDir = join(folder, "state");
  const scratch = join(folder, "scratch");
  await mkdir(scratch);
  return {
    provider: providerIn(stateDir),
    clock: hostClock,
    scratch,
    async abandon() {
      const owner = fork(fileURLToPath(new URL("abandoned-owner.ts", import.meta.url)), [stateDir]);
      const [id] = (await once(owner, "message")) as [string];
      owner.kill("SIGKILL");
      await once(owner, "exit");
      return id;
    },
  };
}
