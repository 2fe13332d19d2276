import { Command } from "commander";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { agentFindings, serverFindings } from "../agent-findings.ts";
import { chooseHarness } from "../choose-harness.ts";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { chooseProvider } from "../create-providers.ts";
import { type AgentReport, examineAgents } from "../examine-agents.ts";
import { friendlyPath } from "../friendly-path.ts";
import { listModels } from "../models-of-file.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { probeFields } from "../probe-fields.ts";
import { type ModelProbe, probeModels } from "../probe-models.ts";
import { outcomeText } from "../probe-text.ts";
import { type Models, readModels } from "../read-models.ts";
import { programText } from "./agents-list.ts";
import { collectOption } from "./collect-option.ts";

interface DoctorOptions {
  readonly harnessFile?: readonly string[];
  readonly models?: string;
  readonly json?: boolean;
}

/** `ale agents doctor` */
export function agentsDoctorCommand(context: CliContext): Command {
  return new Command("doctor")
    .description(
      "Say on one screen what each harness lacks: its program, a machine it starts in, a model it can drive, the key. One model of each server is asked a short question.",
    )
    .argument("[harnesses...]", "only these, which then must be ready; every one by default")
    .option("--harness-file <file>", "add a harness described by a YAML file", collectOption)
    .option("--models <file>", "models and their servers; default models.yaml here, or the user's own")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample: npx ale agents doctor claude-code")
    .action(async (names: readonly string[], options: DoctorOptions) => {
      const harnesses = await createHarnesses(context, options.harnessFile);
      const chosen =
        names.length > 0
          ? names.map((name) => chooseHarness(harnesses, name))
          : [...harnesses.byName.values()].filter(({ wires }) => wires !== undefined);
      await using _programs = await harnesses.store.hold(chosen.map(({ name }) => name));
      const found = await readModels(context, options.models);
      await prepareFolders(context);
      const provider = chooseProvider(context, "local");
      const machine = await provider.preflight();
      const works = machine.every(({ severity }) => severity !== "error");
      const models = listModels(found, context.clock.now());
      if (context.err.isTerminal) context.err.write("starting programs in a sandbox, asking servers …\n");
      const [agents, servers] = await Promise.all([
        examineAgents({
          harnesses,
          chosen,
          models,
          provider: works ? provider : undefined,
          mounts: [{ source: context.nodeBinary, target: sandboxLayout.node }],
        }),
        probeModels(context, found, oneOfEachServer(found)),
      ]);
      const findings = [
        ...machine.filter(({ severity }) => severity === "error"),
        ...servers.flatMap((probe) => serverFindings(probe)),
        ...agents.flatMap((agent) => agentFindings(agent, models, names.length > 0)),
      ];
      const ready = findings.every(({ severity }) => severity !== "error");
      if (!ready) context.setExitStatus(1);
      if (options.json === true) {
        return printJson(
          {
            ready,
            modelsFile: found.path ?? null,
            models,
            servers: servers.map(probeFields),
            agents,
            findings,
          },
          context.out,
        );
      }
      printScreen(context, { found, servers, agents, works });
      context.out.write("\n");
      // The list of servers has told which keys are not set.
      const toTell = findings.filter(({ code }) => code !== "no-key");
      printFindings(toTell, context.out, context.cwd);
      context.out.write(ready ? "ready\n" : "not ready: see the errors above\n");
    });
}

/** The first model of each server, by the first of its wires. */
function oneOfEachServer({
  models,
}: Models): { readonly model: string; readonly wire: ModelProbe["wire"] }[] {
  return Object.entries(models.upstreams).flatMap(([name, { wires }]) => {
    const model = Object.keys(models.models).find((each) => models.models[each]?.upstream === name);
    const [wire] = wires;
    return model === undefined || wire === undefined ? [] : [{ model, wire }];
  });
}

interface Screen {
  readonly found: Models;
  readonly servers: readonly ModelProbe[];
  readonly agents: readonly AgentReport[];
  readonly works: boolean;
}

function printScreen(context: CliContext, { found, servers, agents, works }: Screen): void {
  const { path } = found;
  const file = path === undefined ? "no models file" : friendlyPath(path, context.cwd);
  context.out.write(`machine  ${works ? "sandboxes can be made here" : "no sandbox can be made here"}\n`);
  context.out.write(`models   ${file}; scripted is built in\n`);
  for (const probe of servers) context.out.write(`         ${probe.upstream}: ${outcomeText(probe)}\n`);
  context.out.write("\n");
  context.out.write(
    textTable(
      [
        { title: "harness", cell: (row) => row.name },
        { title: "program", cell: (row) => programText(row.program) },
        { title: "starts", cell: startText },
        { title: "can drive", cell: (row) => row.drives.join(" ") || "-" },
      ],
      agents,
    ),
  );
}

function startText({ program, start }: AgentReport): string {
  if (program.kind === "built-in") return "yes";
  if (program.kind !== "installed") return "-";
  if (!start.known) return "not tried";
  return start.value.starts ? "yes" : "no";
}
