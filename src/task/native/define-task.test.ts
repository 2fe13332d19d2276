import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNode } from "../../testing/run-node.ts";
import { writeSampleTask } from "../../testing/sample-task.ts";
import { defineTask } from "./define-task.ts";
import { machineArguments } from "./machine-arguments.ts";
import { ScratchFolder } from "./scratch-folder.ts";

const about = { instance: "demo/ledger_total@base", seed: 7, params: { currency: "EUR" } };

describe("a task's program", () => {
  test("imported, it does nothing but hand back the definition", async () => {
    const definition = { grade: () => ({}) as never };
    expect(defineTask(definition)).toBe(definition);
    await using task = await writeSampleTask();
    const importer = join(task.root, "importer.ts");
    await writeFile(
      importer,
      `import task from ${JSON.stringify(join(task.dir, "main.ts"))}; console.log(typeof task.grade);`,
    );
    expect(await runNode(importer, ["--help"])).toEqual({ code: 0, stdout: "function\n", stderr: "" });
  });

  test("reached through a link, it still knows that it is the entry", async () => {
    await using task = await writeSampleTask();
    await symlink(task.dir, join(task.root, "link"));
    const run = await runNode(join(task.root, "link", "main.ts"), ["--help"]);
    expect(run.stdout).toContain("node main.ts check");
  });

  test("the machine's verbs generate, solve, grade and probe with the paths they are given", async () => {
    await using task = await writeSampleTask();
    await using work = await ScratchFolder.make();
    const main = join(task.dir, "main.ts");
    const at = (name: string): string => join(work.path, name);
    await mkdir(at("output"));

    const generated = machineArguments({ verb: "generate", ...about, paths: { result: work.path } });
    expect(await runNode(main, generated)).toMatchObject({ code: 0, stderr: "" });
    const solved = { input: at("input"), output: at("output") };
    expect(await runNode(main, machineArguments({ verb: "solve", ...about, paths: solved }))).toMatchObject({
      code: 0,
    });
    const judged = {
      artifacts: at("output"),
      input: at("input"),
      reference: at("reference"),
      result: at("result"),
    };
    expect(await runNode(main, machineArguments({ verb: "grade", ...about, paths: judged }))).toMatchObject({
      code: 0,
    });
    expect(await runNode(main, machineArguments({ verb: "probe", ...about, paths: judged }))).toMatchObject({
      code: 0,
    });

    const verdict = await readFile(join(at("result"), "verdict.json"), "utf8");
    expect(verdict).toMatch(/^\{"checks":.*\}\n$/);
    expect(JSON.parse(verdict)).toMatchObject({ score: 1, fullPass: true });
    const probes = JSON.parse(await readFile(join(at("result"), "probes.json"), "utf8")) as unknown[];
    expect(probes[0]).toEqual({
      name: "empty-file",
      kind: "empty",
      expected: 0,
      because: "Nothing is handed in.",
    });
    expect(await readFile(join(at("result"), "probes/empty-file/total.csv"), "utf8")).toBe("");
  });

  test.each([
    ["throws", `throw new RangeError("broken reference")`, /RangeError: broken reference\n\s+at .*main\.ts/],
    [
      "rejects later",
      `return new Promise((_, no) => setTimeout(() => no(new RangeError("late")), 1))`,
      /late/,
    ],
    [
      "throws outside its promise",
      `setTimeout(() => { throw new RangeError("stray") }, 1); return new Promise(() => {})`,
      /stray/,
    ],
    ["never settles", `return new Promise(() => {})`, /waits on a promise/],
    ["ends the process", `process.exit(0)`, /ended the process/],
    ["returns no verdict", `return { score: 1 }`, /not a verdict: schema:/],
    [
      "returns a score that is no number",
      `return { schema: "ale/verdict@1", score: NaN, fullPass: false, method: "checklist", checks: [], stages: [], gates: [] }`,
      /score:/,
    ],
  ])("a grader that %s fails with status 70 and says why", async (_case, body, message) => {
    const main = `import { defineTask } from "ENTRY"; export default defineTask({ grade() { ${body} } });`;
    await using task = await writeSampleTask({ main });
    await using work = await ScratchFolder.make();
    const paths = { artifacts: work.path, input: work.path, reference: work.path, result: work.path };
    const run = await runNode(
      join(task.dir, "main.ts"),
      machineArguments({ verb: "grade", ...about, paths }),
    );
    expect(run.code).toBe(70);
    expect(run.stderr).toMatch(message);
  });
});

describe("a task's own command line", () => {
  test("solve grades what the oracle made and prints the verdict", async () => {
    await using task = await writeSampleTask();
    const run = await runNode(join(task.dir, "main.ts"), ["solve"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("demo/ledger_total@base: score 1, a full pass");
    expect(run.stdout).toContain("pass  100%  totals: matched 6");
  });

  test("instruction fills in the parameters of the variant asked for", async () => {
    await using task = await writeSampleTask();
    const run = await runNode(join(task.dir, "main.ts"), ["instruction", "--variant", "large"]);
    expect(run.stdout).toContain("in USD.");
  });

  test("grade says 1 when the outputs are not a full pass", async () => {
    await using task = await writeSampleTask();
    await using empty = await ScratchFolder.make();
    const run = await runNode(join(task.dir, "main.ts"), ["grade", empty.path]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("score 0\n  FAIL");
  });

  test.each([
    [["slove"], "there is no command slove\ndid you mean solve?\n"],
    [["solve", "--variant", "bse"], "there is no variant bse\ndid you mean base?\n"],
    [["grade"], "grade needs a folder\nnode main.ts grade DIR\n"],
  ])("wrong arguments %j are a usage mistake, with the remedy", async (args, stderr) => {
    await using task = await writeSampleTask();
    expect(await runNode(join(task.dir, "main.ts"), args)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("a malformed manifest is shown with its line", async () => {
    await using task = await writeSampleTask();
    const path = join(task.dir, "task.yaml");
    await writeFile(path, (await readFile(path, "utf8")).replace("tier:", "teir:"));
    const run = await runNode(join(task.dir, "main.ts"), ["check"]);
    expect(run.code).toBe(1);
    expect(run.stdout).toBe(
      `${path}:8:1: error: teir is not a key that belongs here [unknown-key]\n    did you mean tier?\n`,
    );
  });
});
