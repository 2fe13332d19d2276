import type { Contestant } from "../../contract/contestant.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CliProgram } from "./cli-program.ts";

/** Settings of a contestant that its harness does not know: each would change nothing, and so mislead. */
export function checkSettings(program: CliProgram, contestant: Contestant): readonly Finding[] {
  return Object.keys(contestant.settings)
    .filter((name) => !program.settings.includes(name))
    .map((name) => ({
      severity: "error",
      code: "unknown-setting",
      message: `${contestant.name}: ${program.name} has no setting ${name}`,
      remedy:
        program.settings.length === 0
          ? "leave it out; this harness has none"
          : `take one of: ${program.settings.join(", ")}`,
    }));
}
