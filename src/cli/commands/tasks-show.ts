import { Command } from "commander";
import type { SelectedInstance } from "../../task/select-instances.ts";
import type { CliContext } from "../cli-context.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface ShowOptions {
  readonly tasksRoot?: readonly string[];
  readonly json?: boolean;
}

/** `ale tasks show` */
export function tasksShowCommand(context: CliContext): Command {
  return new Command("show")
    .description("Show an instance: what it needs, and the instruction as an agent gets it.")
    .argument("<instance>", "domain/name@variant, or domain/name for its first instance")
    .option("--tasks-root <dir>", "look for packages here; may be given several times", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale tasks show legal/contract_portfolio_audit")
    .action(async (pattern: string, options: ShowOptions) => {
      const found = await readTasks(context, options.tasksRoot);
      const [chosen] = chooseInstances(found, { include: [pattern], exclude: [] });
      if (chosen === undefined) return;
      const instruction = await chosen.task.instruction(chosen.instance);
      if (options.json === true) {
        const { manifest, contentHash, dir, sealed } = chosen.task;
        printJson(
          { instance: chosen.instance, manifest, contentHash, dir, sealed, instruction },
          context.out,
        );
      } else {
        context.out.write(`${card(chosen, context.cwd)}\n${instruction}`);
      }
    });
}

function card({ task, instance }: SelectedInstance, cwd: string): string {
  const { manifest } = task;
  const { sandbox } = manifest;
  const params = Object.entries(instance.params).map(([name, value]) => `${name}=${value}`);
  const lines: readonly (readonly [string, string])[] = [
    [
      "instance",
      `${instance.id}  seed ${instance.seed}${params.length === 0 ? "" : `  ${params.join(" ")}`}`,
    ],
    ["title", manifest.title],
    ["tier", manifest.tier],
    ["occupation", manifest.taxonomy.soc.join(", ")],
    ["human", `${manifest.provenance.human_minutes} minutes`],
    [
      "machine",
      `${sandbox.os}, ${sandbox.cpus} cpus, ${sandbox.memory_mb} MiB memory, ${sandbox.disk_mb} MiB disk`,
    ],
    ["network", typeof manifest.network === "string" ? manifest.network : manifest.network.allow.join(", ")],
    ["outputs", manifest.outputs.map((output) => output.path).join(", ")],
    ["package", `${friendlyPath(task.dir, cwd)}${task.sealed ? "  (sealed)" : ""}`],
    ["content", task.contentHash],
  ];
  return lines.map(([name, value]) => `${name.padEnd(11)} ${value}\n`).join("");
}
