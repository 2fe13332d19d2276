import type { SandboxLabels, SandboxSpec } from "../sandbox/provider.ts";

type Changes = Partial<Omit<SandboxSpec, "labels">> & Partial<Pick<SandboxLabels, "run" | "role">>;

/** A small machine, for a test that says only what matters to it. */
export function testMachine({ run = "r", role = "test", ...changes }: Changes = {}): SandboxSpec {
  return {
    labels: { run, trial: "t", attempt: 1, role },
    leaseSeconds: 600,
    cpus: 1,
    memoryMb: 256,
    diskMb: 64,
    maxProcesses: 128,
    network: "off",
    mounts: [],
    env: {},
    ...changes,
  };
}
