import type { SandboxLabels, SandboxSpec } from "../sandbox/provider.ts";

type Changes = Partial<Omit<SandboxSpec, "labels">> & { readonly role?: SandboxLabels["role"] };

/** The least of machines, for a test that says only what matters to it. */
export function testMachine({ role = "test", ...changes }: Changes = {}): SandboxSpec {
  return {
    labels: { run: "r", trial: "t", attempt: 1, role },
    leaseSeconds: 60,
    cpus: 1,
    memoryMb: 1,
    diskMb: 1,
    maxProcesses: 1,
    network: "off",
    mounts: [],
    env: {},
    ...changes,
  };
}
