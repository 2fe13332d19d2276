import { expect, test } from "vitest";
import type { CliProgram } from "../../src/harness/program/cli-program.ts";
import { runsCommands } from "../../src/testing/scripted-model/scripts.ts";
import { cliRig } from "./cli-rig.ts";

/**
 * Runs the real program in a sandbox without a network until it has done a task, and holds what it says of it to the facts.
 * @param tool its shell's name.
 */
export function doesATask(title: string, program: CliProgram, tool: string): void {
  test.skipIf(process.getuid?.() !== 0)(
    `the real ${title} does a task in a sandbox without a network`,
    async () => {
      const command = "mkdir -p ~/output && echo done > ~/output/answer.txt && cat ~/output/answer.txt";
      const script = runsCommands([command], "CLAIM: done\n- answer.txt: done");
      const run = await cliRig({ program, script, effort: "low" });
      expect(run.output).toEqual({ "answer.txt": "done\n" });
      expect(run.outcome).toMatchObject({
        kind: "completed",
        claim: { known: true, value: { kind: "done" } },
      });
      expect(run.told.usage).toEqual({ known: true, value: run.meter.usage });
      expect(run.trajectory.steps.flatMap((step) => step.tool_calls ?? [])).toMatchObject([
        { function_name: tool, arguments: { command } },
      ]);
      expect([run.left, run.leaks]).toEqual([[], []]);
    },
  );
}
