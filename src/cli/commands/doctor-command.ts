import { Command } from "commander";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { chooseProvider } from "../create-providers.ts";
import { findInstalledPackages } from "../find-installed-packages.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { packageVersion } from "../package-info.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface DoctorOptions {
  readonly tasksRoot?: readonly string[];
  readonly json?: boolean;
}

/** `ale doctor` */
export function doctorCommand(context: CliContext): Command {
  return new Command("doctor")
    .description("Say what is missing on this machine before an exam does, and the remedy.")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale doctor")
    .action(async (options: DoctorOptions) => {
      const findings: Finding[] = [...(await examineMachine(context))];
      const { packages, malformed } = await readTasks(context, options.tasksRoot);
      const ofShell = new Set(packages.filter(isOfShell).flatMap((task) => task.manifest.sandbox.packages));
      const ofScreen = new Set(packages.flatMap((task) => task.manifest.sandbox.packages)).difference(
        ofShell,
      );
      findings.push(...(await missingPackages([...ofShell].sort(), "error")));
      findings.push(...(await missingPackages([...ofScreen].sort(), "warning")));
      // readTasks has printed these on standard error; only the JSON needs them again.
      const all = [...findings, ...malformed.flatMap((outcome) => outcome.findings)];

      const healthy = all.every((finding) => finding.severity !== "error");
      if (!healthy) context.setExitStatus(1);
      const facts = {
        version: packageVersion(),
        node: context.nodeBinary,
        cache: context.folders.cache,
        state: context.folders.state,
        workflows: packages.length,
      };
      if (options.json === true) return printJson({ healthy, ...facts, findings: all }, context.out);
      for (const [name, value] of Object.entries(facts)) {
        context.out.write(
          `${name.padEnd(10)} ${typeof value === "string" ? friendlyPath(value, context.cwd) : value}\n`,
        );
      }
      printFindings(findings, context.out, context.cwd);
      context.out.write(healthy ? "ready to sit an exam\n" : "not ready: see the errors above\n");
    });
}

async function examineMachine(context: CliContext): Promise<readonly Finding[]> {
  try {
    await prepareFolders(context);
  } catch (error) {
    return [findingOf(error)];
  }
  return chooseProvider(context, "auto").preflight();
}

/** Tasks done at a screen need big programs, which are for who sits them. */
function isOfShell({ manifest }: TaskPackage): boolean {
  return manifest.interface.every((channel) => channel === "shell");
}

async function missingPackages(
  wanted: readonly string[],
  severity: "error" | "warning",
): Promise<readonly Finding[]> {
  const installed = await findInstalledPackages(wanted);
  if (!installed.known) {
    return [{ severity: "note", code: "packages-unchecked", message: installed.reason }];
  }
  const missing = wanted.filter((name) => !installed.value.has(name));
  if (missing.length === 0) return [];
  return [
    {
      severity,
      code: "missing-packages",
      message: `Debian packages that tasks ${severity === "error" ? "" : "done at a screen "}need are not installed: ${missing.join(" ")}`,
      remedy: `sudo apt-get install --yes --no-install-recommends ${missing.join(" ")}`,
    },
  ];
}
