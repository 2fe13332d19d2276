import { Command } from "commander";
import { knownSettings } from "../../harness/program/check-settings.ts";
import { chooseHarness } from "../choose-harness.ts";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { programState } from "../examine-agents.ts";
import { friendlyPath } from "../friendly-path.ts";
import { printJson } from "../output/print-json.ts";
import { readHarnessFiles } from "../read-harness-files.ts";
import { programText } from "./agents-list.ts";
import { sizeText } from "./agents-prune.ts";
import { collectOption } from "./collect-option.ts";

interface ShowOptions {
  readonly harnessFile?: readonly string[];
  readonly json?: boolean;
}

/** `ale agents show` */
export function agentsShowCommand(context: CliContext): Command {
  return new Command("show")
    .description("Show one harness: its program, the protocols it speaks, its settings.")
    .argument("<harness>", "as ale agents ls names it")
    .option("--harness-file <file>", "add a harness described by a YAML file", collectOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents show claude-code")
    .action(async (name: string, options: ShowOptions) => {
      const harnesses = await createHarnesses(context, options.harnessFile);
      const harness = chooseHarness(harnesses, name);
      const program = harnesses.programs.get(name);
      const state = await programState(harness, harnesses);
      const pinned = await harnesses.store.pinned(name);
      const declared = await readHarnessFiles(context, options.harnessFile ?? []);
      const file = declared.find((each) => each.file.name === name)?.path;
      const entry = (await harnesses.store.list()).find(
        (each) => state.kind === "installed" && each.digest === state.digest,
      );
      const shown = {
        name,
        summary: harness.summary,
        program: state,
        ...(pinned === undefined ? {} : { package: pinned.package, version: pinned.version }),
        ...(entry === undefined ? {} : { bytes: entry.bytes }),
        wires: harness.wires ?? [],
        mcp: program?.mcp ?? false,
        settings: program === undefined ? [] : knownSettings(program),
        ...(file === undefined ? {} : { file }),
      };
      if (options.json === true) return printJson(shown, context.out);
      const lines: readonly (readonly [string, string])[] = [
        ["harness", name],
        ["what it is", shown.summary],
        ["program", programText(state)],
        ...(pinned === undefined ? [] : [["package", `${pinned.package} ${pinned.version}`] as const]),
        ...(state.kind === "installed"
          ? [["installed", `${state.dir}${entry === undefined ? "" : `, ${sizeText(entry.bytes)}`}`] as const]
          : []),
        ["wires", shown.wires.join(" ") || "none: it drives no model"],
        ...(program === undefined ? [] : [["MCP over HTTP", shown.mcp ? "yes" : "no"] as const]),
        ...(program === undefined ? [] : [["settings", shown.settings.join(" ") || "none"] as const]),
        ...(file === undefined ? [] : [["described in", friendlyPath(file, context.cwd)] as const]),
      ];
      for (const [title, text] of lines) context.out.write(`${title.padEnd(14)} ${text}\n`);
    });
}
