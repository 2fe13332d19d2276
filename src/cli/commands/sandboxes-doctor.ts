import { Command } from "commander";
import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { SandboxProvider } from "../../sandbox/provider.ts";
import type { CliContext } from "../cli-context.ts";
import { createProviders } from "../create-providers.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { prepareFolders } from "../prepare-folders.ts";

interface ProviderReport {
  readonly provider: string;
  readonly works: boolean;
  readonly findings: readonly Finding[];
  /** From asking for a machine to the end of its first command; absent where no machine could be had. */
  readonly startMs?: number;
}

/** `ale sandboxes doctor` */
export function doctorCommand(context: CliContext): Command {
  return new Command("doctor")
    .description(
      "Say for each provider what works here, what is missing, the remedy, and how fast it starts.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes doctor")
    .action(async (options: { readonly json?: boolean }) => {
      await prepareFolders(context);
      const reports: ProviderReport[] = [];
      for (const provider of createProviders(context).values()) {
        reports.push(await examine(provider, context.clock));
      }
      if (reports.every((report) => !report.works)) context.setExitStatus(1);
      if (options.json === true) return printJson(reports, context.out);
      for (const report of reports) {
        const speed = report.startMs === undefined ? "" : `, starts in ${Math.round(report.startMs)} ms`;
        context.out.write(`${report.provider}: ${report.works ? "works" : "does not work here"}${speed}\n`);
        printFindings(report.findings, context.out, context.cwd);
      }
    });
}

async function examine(provider: SandboxProvider, clock: Clock): Promise<ProviderReport> {
  const findings = [...(await provider.preflight())];
  const works = (): boolean => findings.every((finding) => finding.severity !== "error");
  if (!works()) return { provider: provider.name, works: false, findings };
  try {
    const startMs = await startTime(provider, clock);
    return { provider: provider.name, works: true, findings, startMs };
  } catch (error) {
    findings.push(findingOf(error));
    return { provider: provider.name, works: false, findings };
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
