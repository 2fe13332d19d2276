import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../../src/contract/clock.ts";
import type { AttachedMachine } from "../../../src/sandbox/attached/attached-machine.ts";
import { createAttachedProvider } from "../../../src/sandbox/attached/attached-provider.ts";
import type { ConformanceTarget } from "../../../src/sandbox/conformance/conformance-case.ts";
import { hostClock } from "../../../src/sandbox/local/test-support/host-clock.ts";
import type { SandboxProvider } from "../../../src/sandbox/provider.ts";

let made = 0;

/** A provider of these machines that keeps its state in the folder. */
export function attachedIn(
  stateDir: string,
  machines: readonly AttachedMachine[],
  waitMs = 20_000,
  clock: Clock = hostClock,
): SandboxProvider {
  return createAttachedProvider({
    machines: () => machines,
    machinesFiles: [],
    stateDir,
    clock,
    ids: () => `test-${process.pid}-${made++}`,
    ownerPid: process.pid,
    waitMs,
  });
}

/** What the suite needs, in folders of its own below `folder`. */
export async function attachedTarget(
  folder: string,
  machines: readonly AttachedMachine[],
): Promise<ConformanceTarget> {
  const scratch = join(folder, "scratch");
  await mkdir(scratch, { recursive: true });
  const stateDir = join(folder, "state");
  return {
    provider: attachedIn(stateDir, machines),
    clock: hostClock,
    scratch,
    async abandon() {
      const program = fileURLToPath(new URL("abandoned-lease.ts", import.meta.url));
      const owner = fork(program, [stateDir, JSON.stringify(machines)]);
      const [id] = (await once(owner, "message")) as [string];
      owner.kill("SIGKILL");
      await once(owner, "exit");
      return id;
    },
  };
}
