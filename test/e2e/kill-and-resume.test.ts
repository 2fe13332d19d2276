import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRandom } from "../../src/contract/random.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace } from "./run-ale.ts";

interface RunReport {
  readonly dir: string;
  readonly planned: number;
  readonly finished: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const roots = join(repositoryRoot, "test", "tasks");

test("an exam killed ten times at random moments and resumed finishes every trial exactly once", async () => {
  await using workplace = await createWorkplace();
  const random = createRandom("kill and resume");
  let args = ["run", "--agent", "oracle", "--repeats", "6", "--tasks-root", roots, "--json"];
  for (let round = 0; round < 10; round++) {
    const started = workplace.start(...args);
    // A moment of progress, not of time: after so many lines, wherever the exam then is.
    let linesLeft = random.integer(1, 6);
    started.onProgress((text) => {
      linesLeft -= text.split("\n").length - 1;
      if (linesLeft <= 0) started.kill();
    });
    await started.ended;
    args = ["run", "--resume", "--json"];
  }
  const last = await workplace.ale("run", "--resume", "--json");
  expect(last.status, last.stderr).toBe(0);
  const report = JSON.parse(last.stdout) as RunReport;
  expect(report).toMatchObject({ planned: 12, finished: 12, statuses: { completed: 12 } });

  for (const trial of await readdir(join(report.dir, "trials"))) {
    const attempts = join(report.dir, "trials", trial, "attempts");
    const finished: string[] = [];
    for (const attempt of await readdir(attempts)) {
      const files = await readdir(join(attempts, attempt));
      if (files.includes("result.json"))
        finished.push(await readFile(join(attempts, attempt, "result.json"), "utf8"));
    }
    expect(finished).toHaveLength(1);
  }

  await workplace.ale("sandboxes", "reap");
  const left = await workplace.ale("sandboxes", "ls", "--json");
  expect(JSON.parse(left.stdout)).toEqual([]);
}, 600_000);
