import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxLayout } from "../../src/contract/sandbox-layout.ts";
import { screenActionLineSchema } from "../../src/contract/screen-action-line.ts";
import { trajectorySchema } from "../../src/contract/trajectory.ts";
import { trajectoryProblems } from "../../src/contract/trajectory-problems.ts";
import { openRun } from "../../src/record/open-run.ts";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { repositoryRoot } from "../source-imports.ts";
import { atTheScreen } from "../support/at-the-screen.ts";
import { withModel } from "./worker-model.ts";

const table =
  "Item\tPrice\tQty\nÄpfel\t1.5\t4\nГруши\t2.25\t10\n桃子\t3\t7\n\tTotal\t=SUMPRODUCT(B2:B4;C2:C4)\n";

/** The menu of the empty desktop, by mouse, whose first entry is the terminal; then the table, by keyboard. */
const work = atTheScreen(
  [
    { tool: "click", input: { x: 900, y: 300 } },
    { tool: "wait", input: { seconds: 5 } },
    { tool: "click", input: { x: 940, y: 310 } },
    { tool: "windows", until: /XTerm/ },
    { tool: "wait", input: { seconds: 10 } },
    { tool: "type", input: { text: "libreoffice --calc\n" } },
    { tool: "windows", until: /LibreOffice Calc/ },
    { tool: "wait", input: { seconds: 60 } },
    { tool: "screenshot" },
    { tool: "type", input: { text: table } },
    { tool: "wait", input: { seconds: 30 } },
    { tool: "key", input: { keys: "ctrl+s" } },
    { tool: "windows", until: /Save/ },
    { tool: "wait", input: { seconds: 30 } },
    { tool: "key", input: { keys: "ctrl+a" } },
    { tool: "type", input: { text: `${sandboxLayout.output}/prices.ods\n` } },
    { tool: "windows", until: /prices\.ods/ },
    { tool: "wait", input: { seconds: 30 } },
    { tool: "screenshot" },
  ],
  "The table is typed and saved.\n\nCLAIM: done\n- prices.ods: done",
);

describe.skipIf(process.getuid?.() !== 0)("a contestant that uses nothing but the screen", () => {
  test("types a table into Calc, saves it and passes, be it our harness or Claude Code by MCP", async () => {
    await using model = await createScriptedModel({ script: work, clock: createFixedClock() });
    await using place = await withModel(model);
    // Programs of harnesses are installed once for the user, not for each test.
    const cache = process.env["ALE_CACHE_DIR"] ?? join(homedir(), ".cache", "ale");
    const { stdout, stderr } = await place
      .with({ ALE_CACHE_DIR: cache })
      .ale(
        ...["run", "--agent", "ale-agent", "--agent", "claude-code", "--model", "worker"],
        ...["--tasks-root", join(repositoryRoot, "test", "screen-tasks"), "--concurrency", "1", "--json"],
      );
    expect(stdout, stderr).not.toBe("");
    const { dir } = JSON.parse(stdout) as { readonly dir: string };
    const attempts = await (await openRun(resolve(place.dir, dir))).attempts();
    expect(attempts.map(({ result }) => result?.contestant.harness)).toEqual(["ale-agent", "claude-code"]);
    for (const attempt of attempts) {
      expect(attempt.result).toMatchObject({
        status: "completed",
        score: { known: true, value: 1 },
        fullPass: { known: true, value: true },
        claim: { known: true, value: { kind: "done" } },
      });
      const { channels, programs, required } = attempt.result?.channels ?? expect.fail("no channels");
      expect(required).toMatchObject({ state: "used", channel: "desktop" });
      expect(channels.screen.share).toEqual({ known: true, value: 1 });
      expect(channels.screen.timeShare).toEqual({ known: true, value: 1 });
      expect(programs[0]?.program).toMatch(/libreoffice/i);
      await expectScreenOnRecord(attempt.dir);
    }
  });
});

/** Nothing but the screen's tools was used, and what they showed is files of a valid trajectory. */
async function expectScreenOnRecord(dir: string): Promise<void> {
  const trajectory = JSON.parse(await readFile(join(dir, "trajectory.json"), "utf8"));
  expect(trajectoryProblems(trajectory)).toEqual([]);
  const { steps } = trajectorySchema.parse(trajectory);
  const calls = steps.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function_name));
  expect(calls.length).toBeGreaterThanOrEqual(19);
  const pictures = steps.flatMap(({ observation }) =>
    (observation?.results ?? []).flatMap(({ content }) =>
      typeof content === "string" || content === undefined
        ? []
        : content.flatMap((part) => (part.type === "image" ? [part.source.path] : [])),
    ),
  );
  expect(new Set(pictures).size).toBeGreaterThanOrEqual(2);
  for (const path of pictures) expect((await stat(join(dir, path))).size).toBeGreaterThan(1000);

  const actions = (await readFile(join(dir, "actions.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => screenActionLineSchema.parse(JSON.parse(line)));
  expect(actions).toHaveLength(calls.length);
  expect(actions.every(({ before, after }) => before !== undefined && after !== undefined)).toBe(true);
  const kept = await readdir(join(dir, "screenshots"));
  for (const { after } of actions) expect(kept).toContain(after?.path.split("/")[1]);
}
