import { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { createProviders } from "../create-providers.ts";
import { examineProvider, type ProviderReport } from "../examine-provider.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { prepareFolders } from "../prepare-folders.ts";

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
        reports.push(await examineProvider(provider, context.clock));
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
