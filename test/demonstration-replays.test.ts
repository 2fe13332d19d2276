import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { examFileSchema } from "../src/contract/exam-file.ts";
import { planExam } from "../src/exam/plan/plan-exam.ts";
import { readCalls } from "../src/gateway/record/replay.ts";
import { findTasks } from "../src/task/find-tasks.ts";
import { nativeFormat } from "../src/task/native/native-format.ts";
import { createFixedClock } from "../src/testing/fixed-clock.ts";
import { alwaysSays } from "../src/testing/scripted-model/scripts.ts";
import { readScriptFile } from "../src/testing/scripted-model/start-scripted-model.ts";
import { repositoryRoot } from "./source-imports.ts";
import { runAgent } from "./support/agent-rig.ts";

const contestants = ["solver", "bluffer"] as const;
const folderOf = (contestant: string): string => join(repositoryRoot, "data", "replays", contestant);
const { packages } = await findTasks([join(repositoryRoot, "tasks")], [nativeFormat]);
const exam = await readFile(join(repositoryRoot, "exams", "demonstration.yaml"), "utf8");
const file = examFileSchema.parse(parse(exam));
const plan = planExam({ file, packages, clock: createFixedClock() });
const instances = [...new Set(plan.trials.map((trial) => trial.instance))];

describe("the recordings of the demonstration", () => {
  test.each(contestants)("%s has one of every instance, whole, and under its replay's name", async (name) => {
    expect(instances).toHaveLength(12);
    for (const instance of instances) {
      const folder = join(folderOf(name), instance);
      const calls = await readCalls(folder);
      expect(calls.length, instance).toBeGreaterThan(1);
      for (const { response, shape } of calls) {
        expect(shape.model).toBe(`replay:data/replays/${name}`);
        const hex = response.known ? response.value.slice("sha256:".length) : "none";
        expect((await stat(join(folder, "bodies", hex))).size).toBeGreaterThan(0);
      }
    }
  });

  test("are small", async () => {
    const files = await readdir(join(repositoryRoot, "data", "replays"), { recursive: true });
    const sizes = await Promise.all(
      files.map(
        async (file) =>
          (await readFile(join(repositoryRoot, "data", "replays", file)).catch(() => "")).length,
      ),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_000_000);
  });

  test("offer the tools that ale-agent has; else record them again with scripts/record-demonstration.ts", async () => {
    const now = await runAgent({ script: alwaysSays("CLAIM: done") });
    const tools = [...(now.calls[0]?.turn.tools ?? []).map((tool) => tool.name), "budget"].sort();
    const [instance = ""] = instances;
    for (const name of contestants) {
      const [first] = await readCalls(join(folderOf(name), instance));
      expect(first?.shape.tools).toEqual(tools);
    }
  });

  test.each(["demonstration", "bluff"])("the script %s can be read", async (name) => {
    const file = await readScriptFile(join(repositoryRoot, "data", "scripts", `${name}.yaml`));
    expect(file.rules.length).toBeGreaterThan(4);
  });
});
