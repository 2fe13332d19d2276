import { describe, expect, test } from "vitest";
import type { GradeOutcome } from "../../task/qc/workbench.ts";
import type { TaskProgram } from "../../task/task-package.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { readVerdict } from "./read-verdict.ts";

async function read(
  name: string,
  content: string,
  result: TaskProgram["result"] = "reward-file",
): Promise<GradeOutcome> {
  const provider = new MemorySandboxProvider({ clock: createFixedClock() });
  await using sandbox = await provider.create(testMachine({ role: "verifier" }));
  await sandbox.writeFile(`/ale/result/${name}`, content);
  return readVerdict(sandbox, result);
}

describe("reading what a grader left", () => {
  test.each([
    ["1", 1],
    [" 0.25\n", 0.25],
    ["+.5", 0.5],
    ["5e-1", 0.5],
  ])("a reward file that says %j is the reward %d", async (text, score) => {
    expect(await read("reward.txt", text)).toMatchObject({ kind: "verdict", verdict: { score } });
  });

  test.each([["1garbage"], ["0.5 0.6"], [""], ["0x1"], ["1,0"], ["Infinity"], ["-1"]])(
    "a reward file that says %j is the verifier's error",
    async (text) => {
      expect(await read("reward.txt", text)).toMatchObject({ kind: "verifier-error" });
    },
  );

  test("a verdict whose score does not follow from its checks is the verifier's error", async () => {
    const lying = {
      schema: "ale/verdict@1",
      score: 1,
      fullPass: true,
      method: "weighted-rubric",
      checks: [{ id: "total", stage: "sums", weight: 1, gate: false, score: 0, message: "" }],
      stages: [],
      gates: [],
    };
    expect(await read("verdict.json", JSON.stringify(lying), "ale")).toMatchObject({
      kind: "verifier-error",
      message: 'verdict.json is not a verdict: score: must be below 1: check "total" scores 0',
    });
  });
});
