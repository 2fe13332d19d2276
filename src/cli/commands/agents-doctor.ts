import { Command } from "commander";
import type { Finding } from "../../contract/finding.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { chooseHarness } from "../choose-harness.ts";
import type { CliContext } from "../cli-context.ts";
import { createHarnesses } from "../create-harnesses.ts";
import { chooseProvider } from "../create-providers.ts";
import { type AgentReport, examineAgents } from "../examine-agents.ts";
import { friendlyPath } from "../friendly-path.ts";
import { type ListedModel, listModels } from "../models-of-file.ts";
import { printFindings } from "../output/print-findings.ts";
import { printJson } from "../output/print-json.ts";
import { textTable } from "../output/text-table.ts";
import { type ModelProbe, probeModels } from "../probe-models.ts";
import { type Models, readModels } from "../read-models.ts";
import { programText } from "./agents-list.ts";
import { collectOption } from "./collect-option.ts";
import { outcomeText, remedyFor } from "./models-check.ts";

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
      const found = await readModels(context, options.models);
      const provider = chooseProvider(context, "local");
      const machine = await provider.preflight();
      const works = machine.every(({ severity }) => severity !== "error");
      const models = listModels(found, context.clock.now());
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
        ...servers.flatMap((probe) => serverFinding(probe)),
        ...agents.flatMap((agent) => agentFindings(agent, models, names.length > 0)),
      ];
      const ready = findings.every(({ severity }) => severity !== "error");
      if (!ready) context.setExitStatus(1);
      if (options.json === true) {
        return printJson(
          { ready, modelsFile: found.path ?? null, models, servers, agents, findings },
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

function serverFinding(probe: ModelProbe): readonly Finding[] {
  const remedy = remedyFor(probe);
  if (remedy === undefined) return [];
  return [
    {
      // Servers that are not set up are not in use.
      severity: probe.outcome.kind === "no-key" ? "note" : "error",
      code: probe.outcome.kind,
      message: `${probe.upstream}, asked for ${probe.model}: ${outcomeText(probe)}`,
      remedy,
    },
  ];
}

function agentFindings(
  { name, program, start, wires, drives }: AgentReport,
  models: readonly ListedModel[],
  isNamed: boolean,
): readonly Finding[] {
  const findings: Finding[] = [];
  const wanting = isNamed ? "error" : "note";
  if (program.kind === "not-installed") {
    findings.push({
      severity: wanting,
      code: "harness-not-installed",
      message: `${name} ${program.version} is not installed; ale run installs it when it is first needed`,
      remedy: `npx ale agents install ${name}`,
    });
  }
  if (start.known && !start.value.starts) {
    findings.push({
      severity: "error",
      code: "harness-does-not-start",
      message: `${name} does not start in a sandbox without a network: ${start.value.said}`,
      remedy: `look into it with npx ale agents show ${name}; npx ale agents prune removes what is no longer pinned`,
    });
  }
  if (wires !== undefined && drives.length === 0) {
    const locked = models.filter((model) => wires.some((wire) => model.wires.includes(wire)));
    findings.push({
      severity: wanting,
      code: "no-model",
      message: `${name} speaks ${wires.join(", ")}; no model with its key set does`,
      remedy:
        locked.length > 0
          ? `export one of: ${[...new Set(locked.map(({ variable }) => variable))].join(", ")}`
          : "add a server that speaks it to models.yaml; npx ale models init writes one",
    });
  }
  return findings;
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
