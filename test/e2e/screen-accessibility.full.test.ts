import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { openRun } from "../../src/record/open-run.ts";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { repositoryRoot } from "../source-imports.ts";
import { atTheScreen } from "../support/at-the-screen.ts";
import { withModel } from "./worker-model.ts";

/** Opens the terminal by the menu of the empty desktop, and asks what it tells. */
const work = atTheScreen(
  [
    { tool: "click", input: { x: 900, y: 300 } },
    { tool: "wait", input: { seconds: 5 } },
    { tool: "click", input: { x: 940, y: 310 } },
    { tool: "windows", until: /XTerm/ },
    { tool: "accessibility_tree", input: { max_items: 50 } },
  ],
  "The terminal was looked at.\n\nCLAIM: could-not",
);

describe.skipIf(process.getuid?.() !== 0)("a contestant with the setting accessibility", () => {
  test("is given the tool, and one without is not", async () => {
    await using model = await createScriptedModel({ script: work, clock: createFixedClock() });
    await using place = await withModel(model);
    const sit = async (...more: readonly string[]) => {
      const { stdout, stderr } = await place.ale(
        ...["run", "--agent", "ale-agent", "--model", "worker", ...more],
        ...["--tasks-root", join(repositoryRoot, "test", "screen-tasks"), "--json"],
      );
      expect(stdout, stderr).not.toBe("");
      const { dir } = JSON.parse(stdout) as { readonly dir: string };
      const attempt = (await (await openRun(resolve(place.dir, dir))).attempts())[0] ?? expect.fail("none");
      const read = (name: string) => readFile(join(attempt.dir, name), "utf8");
      return {
        settings: attempt.result?.contestant.settings,
        actions: await read("actions.jsonl"),
        events: await read("events.jsonl"),
        trajectory: await read("trajectory.json"),
      };
    };
    const reader = await sit("--set", "accessibility=true");
    expect(reader.settings).toEqual({ accessibility: true });
    expect(reader.events).toContain('"accessibility":true');
    expect(reader.actions).toContain('"kind":"accessibility"');
    expect(reader.trajectory).toMatch(/These windows tell nothing; use the screenshot:\\n- [^\\]*\[XTerm\]/);

    const other = await sit();
    expect(other.actions).toContain('"kind":"windows"');
    expect(other.actions).not.toContain('"kind":"accessibility"');
    expect(other.events).not.toContain('"accessibility":true');
    expect(other.trajectory).toContain("There is no tool accessibility_tree.");
  });
});
