import type { Finding } from "../contract/finding.ts";
import type { AgentReport } from "./examine-agents.ts";
import type { ListedModel } from "./models-of-file.ts";
import type { ModelProbe, ProbeOutcome } from "./probe-models.ts";
import { outcomeText, remedyFor } from "./probe-text.ts";

/** What a server that was asked lacks. */
export function serverFindings(probe: ModelProbe): readonly Finding[] {
  const remedy = remedyFor(probe);
  if (remedy === undefined) return [];
  return [
    {
      ...weightOf(probe.outcome),
      message: `${probe.upstream}, asked for ${probe.model}: ${outcomeText(probe)}`,
      remedy,
    },
  ];
}

function weightOf(outcome: ProbeOutcome): Pick<Finding, "severity" | "code"> {
  // Servers that are not set up are not in use.
  if (outcome.kind === "no-key") return { severity: "note", code: outcome.kind };
  if (outcome.kind !== "answers") return { severity: "error", code: outcome.kind };
  return outcome.servedAs === undefined
    ? { severity: "warning", code: "declines" }
    : { severity: "error", code: "another-model" };
}

/** What a harness lacks. @param isNamed it was asked for, and must be ready. */
export function agentFindings(
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
