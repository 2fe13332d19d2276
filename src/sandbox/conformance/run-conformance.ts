import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxSpec } from "../provider.ts";
import { backgroundCases } from "./cases/background-cases.ts";
import { changeCases } from "./cases/change-cases.ts";
import { commandCases } from "./cases/command-cases.ts";
import { downloadCases } from "./cases/download-cases.ts";
import { fileCases } from "./cases/file-cases.ts";
import { forwardCases } from "./cases/forward-cases.ts";
import { isolationCases } from "./cases/isolation-cases.ts";
import { leaseCases } from "./cases/lease-cases.ts";
import { limitCases } from "./cases/limit-cases.ts";
import { networkCases } from "./cases/network-cases.ts";
import { quiesceCases } from "./cases/quiesce-cases.ts";
import { signalCases } from "./cases/signal-cases.ts";
import { spawnCases } from "./cases/spawn-cases.ts";
import { streamCases } from "./cases/stream-cases.ts";
import { uploadCases } from "./cases/upload-cases.ts";
import { userCases } from "./cases/user-cases.ts";
import type { CaseContext, ConformanceCase, ConformanceTarget } from "./conformance-case.ts";

/** Every behaviour asked of a provider. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...commandCases,
  ...signalCases,
  ...streamCases,
  ...spawnCases,
  ...userCases,
  ...fileCases,
  ...uploadCases,
  ...downloadCases,
  ...changeCases,
  ...backgroundCases,
  ...limitCases,
  ...networkCases,
  ...forwardCases,
  ...isolationCases,
  ...quiesceCases,
  ...leaseCases,
];

/** Case name to why this provider, on this host, cannot have the behaviour. */
export type ConformanceSkips = Readonly<Record<string, string>>;

export type CaseOutcome =
  | { readonly name: string; readonly outcome: "passed"; readonly wallMs: number }
  | { readonly name: string; readonly outcome: "skipped"; readonly reason: string }
  | { readonly name: string; readonly outcome: "failed"; readonly error: unknown };

/** Runs the suite, one case after the other, and gives each outcome as it is known. */
export async function* runConformance(
  target: ConformanceTarget,
  skips: ConformanceSkips = {},
): AsyncGenerator<CaseOutcome, void, undefined> {
  for (const { name, run } of conformanceCases) {
    const reason = skips[name];
    if (reason !== undefined) {
      yield { name, outcome: "skipped", reason };
      continue;
    }
    const began = target.clock.monotonic();
    try {
      await runCase(target, run);
      yield { name, outcome: "passed", wallMs: target.clock.monotonic() - began };
    } catch (error) {
      yield { name, outcome: "failed", error };
    }
  }
}

/** Runs one case with a scratch folder of its own; its machines are gone when it resolves or rejects. */
export async function runCase(target: ConformanceTarget, run: ConformanceCase["run"]): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(target.scratch, "case-"));
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));
  const spec = (changes: Partial<SandboxSpec> = {}): SandboxSpec => ({ ...usualSpec, ...changes });
  const context: CaseContext = {
    ...target,
    scratch,
    spec,
    machine: async (changes) => cleanup.use(await target.provider.create(spec(changes))),
  };
  await run(context);
}

const usualSpec: SandboxSpec = {
  labels: { run: "conformance", trial: "case", attempt: 1, role: "test" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 256,
  diskMb: 64,
  maxProcesses: 128,
  network: "off",
  mounts: [],
  env: {},
};
