import { unknown } from "../../contract/absence.ts";
import type { Contestant } from "../../contract/contestant.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Harness } from "../harness.ts";
import { unknownSettings } from "../unknown-settings.ts";
import { unpaid } from "./claims.ts";
import { runInSandbox } from "./run-in-sandbox.ts";

/** Any program of the machine as a contestant: the instruction on standard input and in a file of the home. */
export function createCommand(version: string): Harness {
  return {
    name: "command",
    summary: "any program, given by the setting argv; the instruction on stdin and in ~/instruction.md",
    version: async () => version,
    async preflight(contestant) {
      const unknown = unknownSettings(contestant, ["argv"]);
      if (argvOf(contestant) !== undefined) return unknown;
      return [
        ...unknown,
        {
          severity: "error",
          code: "command-without-argv",
          message: `the contestant ${contestant.name} has no command`,
          remedy:
            'Give it one: --set \'argv=["program","argument"]\', or settings: { argv: [program, argument] } in exam.yaml.',
        },
      ];
    },
    needs: async () => ({ mounts: [], env: {} }),
    async launch(session) {
      const { contestant, instruction } = session.trial;
      const argv = argvOf(contestant);
      if (argv === undefined) {
        return { kind: "agent-error", reason: "no argv is set", ...unpaid, claim: unknown("it never ran") };
      }
      await session.sandbox.writeFile(`${sandboxLayout.home}/instruction.md`, instruction);
      const outcome = await runInSandbox(session, { argv, env: {}, input: instruction });
      const reason = "a command's use of models is not metered";
      return { ...outcome, usage: unknown(reason), costUsd: unknown(reason) };
    },
  };
}

/** The setting `argv`: a list, or one program's name. */
function argvOf(contestant: Contestant): readonly string[] | undefined {
  const argv = contestant.settings["argv"];
  if (typeof argv === "string" && argv !== "") return [argv];
  return Array.isArray(argv) && argv.length > 0 ? argv : undefined;
}
