import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConformanceTarget } from "../../conformance/conformance-case.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import type { ContainerProviderOptions } from "../container-options.ts";
import { type ContainerProvider, createContainerProvider } from "../container-provider.ts";

/** A container provider on the daemon's socket that keeps its state in the folder. */
export function providerOn(
  socket: string,
  stateDir: string,
  image: string,
  pool = 0,
  further: Pick<ContainerProviderOptions, "credentialFiles" | "onPull"> = {},
): ContainerProvider {
  let made = 0;
  return createContainerProvider({
    stateDir,
    clock: hostClock,
    ids: () => `test-${process.pid}-${made++}`,
    ownerPid: process.pid,
    sockets: [socket],
    defaultImage: image,
    pool,
    ...further,
  });
}

/** What the suite needs, in folders of its own below `folder`. */
export async function containerTarget(
  socket: string,
  folder: string,
  image: string,
): Promise<ConformanceTarget> {
  const stateDir = join(folder, "state");
  const scratch = join(folder, "scratch");
  await mkdir(scratch, { recursive: true });
  return {
    provider: providerOn(socket, stateDir, image),
    clock: hostClock,
    scratch,
    async abandon() {
      const script = fileURLToPath(new URL("abandoned-owner.ts", import.meta.url));
      const owner = fork(script, [socket, stateDir, image]);
      const [id] = (await once(owner, "message")) as [string];
      owner.kill("SIGKILL");
      await once(owner, "exit");
      return id;
    },
  };
}
