import { spawn } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../source-imports.ts";
import { checkTasks, firstInstance, shellWorkflows } from "./check-tasks.ts";
import { createWorkplace } from "./run-ale.ts";

interface RunReport {
  readonly dir: string;
  readonly contestants: readonly {
    readonly contestant: string;
    readonly fullPass: { readonly passes: number; readonly n: number };
    readonly mean: { readonly value: number };
  }[];
}

test("the demonstration exam: the oracle passes every instance, the recorded solver most, idling and bluffing nothing", async () => {
  await using workplace = await createWorkplace();
  const child = spawn(
    "npm",
    ["run", "--silent", "exam", "--", "--json", "--runs-dir", join(workplace.dir, "runs")],
    {
      cwd: repositoryRoot,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const report = JSON.parse(Buffer.concat(chunks).toString()) as RunReport;
  const passes = report.contestants.map((row) => [
    row.contestant,
    row.fullPass.passes,
    row.fullPass.n,
    row.mean.value,
  ]);
  const [oracle, nop, bluffer, solver, replayedBluffer] = passes;
  expect([oracle, nop, bluffer, replayedBluffer]).toEqual([
    ["oracle", 12, 12, 1],
    ["nop", 0, 12, 0],
    ["bluffer", 0, 12, 0],
    ["bluffer (recorded)", 0, 12, 0],
  ]);
  // How good a route it finds depends on the machine's speed; the rest of its work does not.
  expect(solver?.[1]).toBeGreaterThanOrEqual(6);
  await access(join(report.dir, "report.html"));
  expect(await readFile(join(report.dir, "report.html"), "utf8")).toContain("oracle");
});

test("every workflow that is done in a shell passes its quality control", async () => {
  const instances = await Promise.all(shellWorkflows.map(firstInstance));
  const report = await checkTasks(instances, 8);
  expect(report.instances).toHaveLength(shellWorkflows.length);
});
