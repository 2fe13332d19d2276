import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { AttachedMachine } from "../../../src/sandbox/attached/attached-machine.ts";
import type { ConformanceTarget } from "../../../src/sandbox/conformance/conformance-case.ts";
import type { ConformanceSkips } from "../../../src/sandbox/conformance/run-conformance.ts";
import { sandboxConformance } from "../../../src/sandbox/conformance/sandbox-conformance.ts";
import type { SandboxSpec } from "../../../src/sandbox/provider.ts";
import { attachedSkips } from "./attached-skips.ts";
import { attachedTarget } from "./attached-target.ts";

interface TestMachine extends AsyncDisposable {
  readonly machine: AttachedMachine;
}

/** Two machines for the tests of a file, and a folder, from its first test on. */
export interface AttachedPair<Machine> {
  readonly folder: string;
  readonly machines: readonly Machine[];
}

/** What a test may ask of either. */
export const attachedSpec: SandboxSpec = {
  labels: { run: "attached", trial: "trial", attempt: 1, role: "agent" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 256,
  diskMb: 64,
  maxProcesses: 100,
  network: "off",
  mounts: [],
  env: {},
};

/** Starts two machines for a file and holds them to the suite. @param skips beside those of any attached machine. */
export function attachedConformance<Machine extends TestMachine>(
  title: string,
  start: (name: string) => Promise<Machine>,
  skips: ConformanceSkips = {},
): AttachedPair<Machine> {
  let folder = "";
  let machines: readonly Machine[] = [];
  let target: ConformanceTarget;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ale-attached-"));
    machines = await Promise.all([start("one"), start("two")]);
    target = await attachedTarget(
      folder,
      machines.map((one) => one.machine),
    );
  }, 300_000);

  afterAll(async () => {
    await target.provider.reap({ force: true });
    for (const machine of machines) await machine[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  sandboxConformance(title, () => target, { skips: { ...attachedSkips, ...skips } });
  return {
    get folder() {
      return folder;
    },
    get machines() {
      return machines;
    },
  };
}
