import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { connectEngine } from "../../sandbox/container/engine.ts";
import { type BuiltImage, buildImage } from "../../sandbox/container/images/build-image.ts";
import { readRecipe, recipeNames } from "../../sandbox/container/images/image-recipe.ts";
import type { CliContext } from "../cli-context.ts";
import { containerSockets } from "../create-providers.ts";
import { printJson } from "../output/print-json.ts";
import { packageRoot } from "../package-info.ts";
import { readTasks } from "../read-tasks.ts";
import { buildVmImage, vmImageNames } from "./build-vm-image.ts";
import { checkDiscOptions, type DiscOptions } from "./check-disc-options.ts";
import { collectOption } from "./collect-option.ts";

interface BuildOptions extends DiscOptions {
  readonly method: "auto" | "debian" | "dockerfile";
  readonly for?: readonly string[];
  readonly locked?: boolean;
  readonly updateLock?: boolean;
  readonly json?: boolean;
}

const mostDifferences = 10;

/** `ale sandboxes build` */
export function buildCommand(context: CliContext): Command {
  return new Command("build")
    .description(
      "Build an image of ours: base, desktop, office, science, design or media of containers; vm-linux or windows of virtual machines.",
    )
    .argument("<image>", "its name in images/")
    .addOption(
      new Option("--method <how>", "debian: from packages, without a registry; dockerfile: by the daemon")
        .choices(["auto", "debian", "dockerfile"])
        .default("auto"),
    )
    .option(
      "--for <dir>",
      "also the packages that the tasks below need; may be given several times",
      collectOption,
    )
    .option("--locked", "fail where what is installed differs from packages.lock")
    .option("--update-lock", "write packages.lock")
    .option("--iso <file>", "for windows: its installation disc")
    .option("--drivers <file>", "for windows: the disc of virtio drivers, virtio-win.iso")
    .option("--edition <name>", "for windows: the edition, as its disc names it; default Windows 10 Pro")
    .option("--product-key <key>", "for windows: its product key, where its disc asks for one")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale sandboxes build base --for tasks")
    .action((image: string, options: BuildOptions) => build(context, image, options));
}

async function build(context: CliContext, name: string, options: BuildOptions): Promise<void> {
  const discs = await checkDiscOptions(name, options, context.cwd);
  if (vmImageNames.includes(name)) {
    const facts = await buildVmImage(context, await packagesFor(context, options.for), discs, options);
    if (options.json === true) printJson(facts, context.out);
    else context.out.write(`${facts.name}  ${facts.digest}  ${facts.packages.length} packages\n`);
    return;
  }
  const imagesDir = join(packageRoot, "images");
  const names = [...(await recipeNames(imagesDir)), ...vmImageNames];
  if (!names.includes(name)) {
    throw new AleError({
      code: "unknown-image",
      message: `there is no recipe for an image called ${name}`,
      remedy: `take one of: ${names.join(", ")}`,
    });
  }
  const recipe = await readRecipe(imagesDir, name);
  const engine = await connectEngine(containerSockets(context));
  const built = await buildImage({
    engine,
    recipe,
    imagesDir,
    tempDir: tmpdir(),
    extraPackages: await packagesFor(context, options.for),
    method: options.method,
    onLine: (line) => context.err.write(`${line}\n`),
    signal: context.interrupted,
  });
  if (options.updateLock === true) {
    await writeFile(join(recipe.dir, "packages.lock"), `${built.installed.join("\n")}\n`);
  } else if (options.locked === true && built.differences.length > 0) context.setExitStatus(1);
  if (options.json === true) printJson(built, context.out);
  else context.out.write(describe(built, options.updateLock === true));
}

async function packagesFor(
  context: CliContext,
  roots: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (roots === undefined) return [];
  const { packages } = await readTasks(context, roots);
  return [...new Set(packages.flatMap((task) => task.manifest.sandbox.packages))].sort();
}

function describe(built: BuiltImage, updated: boolean): string {
  const { name, id, installed, differences } = built;
  const lines = [`${name}  ${id}  ${installed.length} packages`];
  if (!updated && differences.length > 0) {
    lines.push(`differs from its packages.lock in ${differences.length} lines:`);
    lines.push(...differences.slice(0, mostDifferences).map((line) => `  ${line}`));
    if (differences.length > mostDifferences)
      lines.push(`  and ${differences.length - mostDifferences} more`);
  }
  return `${lines.join("\n")}\n`;
}
