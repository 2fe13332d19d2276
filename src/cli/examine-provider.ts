import type { Clock } from "../contract/clock.ts";
import type { Finding } from "../contract/finding.ts";
import { findingOf } from "../contract/finding-of.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";

/** What of a provider works on this host. */
export interface ProviderReport {
  readonly provider: string;
  readonly works: boolean;
  readonly findings: readonly Finding[];
  /** From asking for a machine to the end of its first command; absent where no machine could be had. */
  readonly startMs?: number;
}

/** Asks a provider what is missing and, when nothing is, has it make a machine and run a command. */
export async function examineProvider(provider: SandboxProvider, clock: Clock): Promise<ProviderReport> {
  const findings = [...(await provider.preflight())];
  const works = (): boolean => findings.every((finding) => finding.severity !== "error");
  if (!works()) return { provider: provider.name, works: false, findings };
  try {
    const startMs = await startTime(provider, clock);
    return { provider: provider.name, works: true, findings, startMs };
  } catch (error) {
    const stops = findingOf(error);
    // What was a warning beforehand, such as an image that is missing, is told once.
    const others = findings.filter(({ remedy }) => remedy === undefined || remedy !== stops.remedy);
    return { provider: provider.name, works: false, findings: [...others, stops] };
  }
}

async function startTime(provider: SandboxProvider, clock: Clock): Promise<number> {
  const began = clock.monotonic();
  await using sandbox = await provider.create({
    labels: { run: "doctor", trial: "start", attempt: 1, role: "test" },
    leaseSeconds: 300,
    cpus: 1,
    memoryMb: 512,
    diskMb: 64,
    maxProcesses: 128,
    network: "off",
    mounts: [],
    env: {},
  });
  await sandbox.exec(["true"], { timeoutMs: 60_000 });
  return clock.monotonic() - began;
}
