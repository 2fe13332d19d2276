import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { createWorkplace } from "./run-ale.ts";
import { results, solves, tasks, withModel } from "./worker-model.ts";

test("a trial at its limit on tokens ends as budget_exceeded and is graded on what it left", async () => {
  await using model = await createScriptedModel({ script: solves(), clock: createFixedClock() });
  await using place = await withModel(model);
  await writeFile(
    join(place.dir, "exam.yaml"),
    `schema: ale/exam@1
name: limited
contestants: [{ harness: ale-agent, model: worker }]
tasks: { roots: [${tasks}] }
limits: { calls: 1 }
`,
  );
  const { stdout } = await place.ale("run", "exam.yaml", "--json");
  expect(JSON.parse(stdout).statuses).toEqual({ budget_exceeded: 2 });
  const [result] = await results(place);
  expect(result).toMatchObject({
    reason: "the limit on calls was reached",
    score: { known: true, value: 1 },
  });
});

test.each([
  ["an unknown model", ["--model", "nobody"], "unknown-model"],
  ["a missing model", [], "model-missing"],
])("%s is told before the first trial", async (_, flags, code) => {
  await using place = await createWorkplace();
  const args = ["--agent", "ale-agent", ...flags, "--tasks-root", tasks];
  const { status, stderr } = await place.ale("run", ...args);
  expect(status).not.toBe(0);
  expect(stderr).toContain(code);
  expect(await readdir(place.dir)).not.toContain("runs");
});
