import { expect, test } from "vitest";
import { cliRig } from "../../../test/support/cli-rig.ts";
import { runsCommands } from "../../testing/scripted-model/scripts.ts";
import { openclawProgram } from "./openclaw-program.ts";

test.skipIf(process.getuid?.() !== 0)(
  "the real OpenClaw does a task in a sandbox without a network",
  async () => {
    const command = "mkdir -p ~/output && echo done > ~/output/answer.txt && cat ~/output/answer.txt";
    const script = runsCommands([command], "CLAIM: done\n- answer.txt: done");
    const run = await cliRig({ program: openclawProgram, script, effort: "low" });
    expect(run.output).toEqual({ "answer.txt": "done\n" });
    expect(run.outcome).toMatchObject({ kind: "completed", claim: { known: true, value: { kind: "done" } } });
    expect(run.told.usage).toEqual({ known: true, value: run.meter.usage });
    expect(run.trajectory.steps.flatMap((step) => step.tool_calls ?? [])).toMatchObject([
      { arguments: { command } },
    ]);
    expect([run.left, run.leaks]).toEqual([[], []]);
  },
);
