import { spawn } from "node:child_process";
import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { CliContext } from "../cli-context.ts";
import { findInstalledPackages } from "../find-installed-packages.ts";
import { printJson } from "../output/print-json.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface PrepareOptions {
  readonly software?: string;
  readonly tasksRoot?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `ale sandboxes prepare` */
export function prepareCommand(context: CliContext): Command {
  return new Command("prepare")
    .description(
      "Install on this host the Debian packages that tasks need, such as whole desktop programs; several hundred MB are common.",
    )
    .argument("[pattern...]", "globs over domain/name@variant: for these tasks")
    .option("--software <names>", "for every task that names one of these programs or packages, by commas")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--dry-run", "only say what is missing, and the command that installs it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes prepare --software inkscape,kicad")
    .action((patterns: readonly string[], options: PrepareOptions) => prepare(context, patterns, options));
}

async function prepare(
  context: CliContext,
  patterns: readonly string[],
  options: PrepareOptions,
): Promise<void> {
  const software = (options.software ?? "")
    .split(",")
    .map(plain)
    .filter((name) => name !== "");
  if (patterns.length === 0 && software.length === 0) {
    throw new AleError({
      code: "usage",
      message: "nothing is named to prepare for",
      remedy: "name tasks by id or glob, or programs with --software",
    });
  }
  const found = await readTasks(context, options.tasksRoot);
  const named = patterns.length === 0 ? [] : chooseInstances(found, { include: patterns, exclude: [] });
  const tasks = new Set([...named.map(({ task }) => task), ...tasksWith(found.packages, software)]);
  const packages = [...new Set([...tasks].flatMap((task) => task.manifest.sandbox.packages))].sort();
  const installed = await findInstalledPackages(packages);
  if (!installed.known) {
    throw new AleError({
      code: "no-packages",
      message: `packages cannot be installed here: ${installed.reason}`,
      remedy: `install by other means what gives these packages of Debian: ${packages.join(" ")}`,
    });
  }
  const missing = packages.filter((name) => !installed.value.has(name));
  const argv = ["apt-get", "install", "--yes", "--no-install-recommends", ...missing];
  const isDone = missing.length === 0 || options.dryRun !== true;
  if (missing.length > 0 && options.dryRun !== true) await install(context, argv);
  if (options.json === true) return printJson({ packages, missing, installed: isDone }, context.out);
  if (missing.length === 0) context.out.write(`nothing is missing: ${packages.join(" ")}\n`);
  else if (isDone) context.out.write(`installed: ${missing.join(" ")}\n`);
  else context.out.write(`missing: ${missing.join(" ")}\ninstall them with: sudo ${argv.join(" ")}\n`);
}

/** Throws `unknown-software` for a name that no task needs. */
function tasksWith(tasks: readonly TaskPackage[], names: readonly string[]): readonly TaskPackage[] {
  return names.flatMap((name) => {
    const matching = tasks.filter(({ manifest }) =>
      [...manifest.software, ...manifest.sandbox.packages].some((known) => plain(known) === name),
    );
    if (matching.length > 0) return matching;
    const known = [...new Set(tasks.flatMap(({ manifest }) => manifest.software))].sort();
    throw new AleError({
      code: "unknown-software",
      message: `no task here needs the software "${name}"`,
      remedy: `name one of these: ${known.join(", ")}`,
    });
  });
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}

/** What the programs say goes to standard error: standard output is ours. */
async function install(context: CliContext, argv: readonly string[]): Promise<void> {
  const become = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const quiet = { ...context.environment, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of [["apt-get", "update", "--quiet"], argv]) {
    const [program, ...rest] = [...become, ...step] as [string, ...string[]];
    const child = spawn(program, rest, {
      stdio: ["ignore", "pipe", "pipe"],
      env: quiet,
      signal: context.interrupted,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes) => context.err.write(String(bytes)));
    const end = await new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, signal) => resolve(code === null ? String(signal) : `status ${code}`));
    });
    if (end === "status 0") continue;
    throw new AleError({
      code: "not-installed",
      message: `${program} ended with ${end}`,
      remedy: `as an administrator, run: ${argv.join(" ")}`,
    });
  }
}
