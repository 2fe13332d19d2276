import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import { parseTestReport } from "./test-report.ts";

let home: string;
let cwd: string;
let scratch: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "ale-code-"));
  cwd = join(home, "work");
  scratch = join(home, "scratch");
  await mkdir(cwd);
  await mkdir(scratch);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs a shell script in the place of a test command; `$0` is the report. */
function run(script: string, options: Partial<TestRun> = {}) {
  return runTests({
    argv: ["/bin/sh", "-c", script, "{report}"],
    cwd,
    scratch,
    timeoutMs: 30_000,
    results: "tap",
    expected: ["adds", "subtracts"],
    ...options,
  });
}

describe("a test report", () => {
  it("is read from JUnit XML, with nested suites", () => {
    const report = `<testsuites><testsuite name="s"><testsuite>
      <testcase classname="m.C" name="ok" time="0.1"/>
      <testcase classname="m.C" name="bad"><failure message="x">trace</failure></testcase>
      <testcase name="boom"><error/></testcase></testsuite>
      <testcase name="later"><skipped/></testcase></testsuite></testsuites>`;
    expect(Object.fromEntries(fromReference(parseTestReport(report, "junit")))).toEqual({
      "m.C.ok": "passed",
      "m.C.bad": "failed",
      boom: "failed",
      later: "skipped",
    });
  });

  it("is read from TAP, top level only", () => {
    const report = `TAP version 14\n1..5\n    ok 1 - inner\nok 1 - adds\nnot ok 2 - subtracts # really\nok 3 later # SKIP no time\nnot ok 4 - some day # TODO\nok\n`;
    expect(Object.fromEntries(fromReference(parseTestReport(report, "tap")))).toEqual({
      adds: "passed",
      subtracts: "failed",
      later: "skipped",
      "some day": "skipped",
      "": "passed",
    });
  });

  it("is read from the JSON of pytest", () => {
    const report = JSON.stringify({
      tests: [{ nodeid: "t.py::a", outcome: "passed" }, { nodeid: "t.py::b", outcome: "error" }, null],
    });
    expect(Object.fromEntries(fromReference(parseTestReport(report, "pytest-json")))).toEqual({
      "t.py::a": "passed",
      "t.py::b": "failed",
    });
  });

  it("does not let a second report of a test hide its failure", () => {
    const read = (text: string) => fromReference(parseTestReport(text, "tap")).get("a");
    expect(read("not ok 1 - a\nok 2 - a")).toBe("failed");
    expect(read("ok 1 - a\nnot ok 2 - a")).toBe("failed");
  });

  it("is bad when it is not of its format", () => {
    expect(parseTestReport("<x", "junit").kind).toBe("bad");
    expect(parseTestReport("null", "pytest-json").kind).toBe("bad");
    expect(parseTestReport("ok 1 - a\nBail out!", "tap").kind).toBe("bad");
  });
});

describe("running tests", () => {
  it("gives the share of the expected tests that passed", async () => {
    expect(
      (await run('printf "ok 1 - adds\\nok 2 - subtracts\\nnot ok 3 - other\\n" > "$0"; exit 1')).score,
    ).toBe(1);
    expect((await run('printf "ok 1 - adds\\nnot ok 2 - subtracts\\n" > "$0"')).score).toBe(0.5);
  });

  it("counts an expected test that is absent or skipped as failed", async () => {
    const outcome = await run('printf "ok 1 - adds\\nok 2 - subtracts # SKIP\\n" > "$0"', {
      expected: ["adds", "subtracts", "divides"],
    });
    expect(outcome.score).toBe(1 / 3);
    expect(outcome.evidence).toMatchObject({
      lost: [
        { name: "subtracts", result: "skipped" },
        { name: "divides", result: "absent" },
      ],
    });
  });

  it("reads the report of a real test runner", async () => {
    const hidden = join(home, "hidden.test.mjs");
    await writeFile(
      hidden,
      `import test from "node:test"; import assert from "node:assert"; import { add } from ${JSON.stringify(join(cwd, "sum.mjs"))};
      test("adds", () => assert.equal(add(1, 2), 3)); test("subtracts", () => assert.equal(add(1, -2), 0));`,
    );
    await writeFile(
      join(cwd, "sum.mjs"),
      "console.log('ok 2 - subtracts'); export const add = (a, b) => a + b;",
    );
    const argv = [process.execPath, "--test-reporter=tap", "--test-reporter-destination={report}", hidden];
    const outcome = await run("", { argv });
    expect(outcome).toMatchObject({
      score: 0.5,
      evidence: { lost: [{ name: "subtracts", result: "failed" }] },
    });
  });

  it("believes neither what is printed nor a report planted in the agent's folder", async () => {
    await writeFile(join(cwd, "report"), "ok 1 - adds\nok 2 - subtracts\n");
    const outcome = await run('printf "ok 1 - adds\\nok 2 - subtracts\\n"');
    expect(outcome).toMatchObject({ score: 0, message: expect.stringContaining("no report") });
  });

  it("scores 0 for a report that is a link", async () => {
    await writeFile(join(home, "planted"), "ok 1 - adds\nok 2 - subtracts\n");
    expect((await run(`ln -s ${home}/planted "$0"`)).score).toBe(0);
  });

  it("grades by exit status when asked", async () => {
    expect((await run("exit 0", { results: "exit-code" })).score).toBe(1);
    expect((await run("echo no >&2; exit 3", { results: "exit-code" })).evidence).toEqual({ output: "no\n" });
  });

  it("ends the whole run when its time is over, and leaves nothing in the scratch folder", async () => {
    const outcome = await run("sleep 600 & sleep 600", { timeoutMs: 100, results: "exit-code" });
    expect(outcome).toMatchObject({ score: 0, message: expect.stringContaining("timed-out") });
    expect(await readdir(scratch)).toEqual([]);
  });

  it("gives the command a small fixed environment", async () => {
    const outcome = await run('env | cut -d= -f1 | sort | tr "\\n" " "; exit 1', {
      results: "exit-code",
      env: { MODE: "x" },
    });
    expect(outcome.evidence).toEqual({ output: "HOME LANG MODE PATH PWD TZ " });
  });

  it("throws for a call that makes no sense", async () => {
    await expect(run("", { expected: [] })).rejects.toBeInstanceOf(AleError);
    await expect(run("", { argv: ["/bin/true"] })).rejects.toBeInstanceOf(AleError);
    await expect(run("", { scratch: cwd })).rejects.toBeInstanceOf(AleError);
    await expect(run("", { argv: ["/no/such/program", "{report}"] })).rejects.toBeInstanceOf(AleError);
  });
});
