import { expect, test } from "vitest";
import type { CliProgram } from "../../src/harness/program/cli-program.ts";
import { runsCommands } from "../../src/testing/scripted-model/scripts.ts";
import { cliRig } from "./cli-rig.ts";

const command = "mkdir -p ~/output && echo done > ~/output/answer.txt";

/** A task done on each wire but the first, on which everything else of the harness is shown; with effort, where a wire has it. */
export function cliWires(program: CliProgram): void {
  test.skipIf(process.getuid?.() !== 0).each(program.wires.slice(1))(
    `${program.name} does a task over %s, and is asked for the effort by the gateway or itself`,
    async (wire) => {
      const script = runsCommands([command], "It is done.");
      const run = await cliRig({ program: { ...program, wires: [wire] }, script, effort: "high" });
      expect(run.outcome.kind).toBe("completed");
      expect(run.output).toEqual({ "answer.txt": "done\n" });
      expect(new Set(run.calls.map((call) => call.wire))).toEqual(new Set([wire]));
      for (const { body } of run.calls)
        expect(JSON.stringify(body)).toMatch(/"(effort|reasoning_effort|thinkingLevel)":"high"/);
      if (program.claimsAllCalls !== false && run.told.usage.known) {
        expect(run.told.usage.value).toMatchObject({
          input: run.meter.usage.input,
          output: run.meter.usage.output,
        });
      }
      expect([run.left, run.leaks]).toEqual([[], []]);
    },
  );
}
