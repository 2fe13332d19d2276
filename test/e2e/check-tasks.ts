import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace } from "./run-ale.ts";

interface CheckReport {
  readonly ok: boolean;
  readonly instances: readonly {
    readonly instance: string;
    readonly ok: boolean;
    readonly untouched: number;
    readonly oracle: number;
    readonly deterministic: boolean;
    readonly probes: readonly { readonly name: string; readonly ok: boolean }[];
  }[];
}

const root = join(repositoryRoot, "tasks");

/** Workflows of the house by whether they are done at a screen. */
const byScreen = await Promise.all(
  (await Array.fromAsync(glob("*/*/task.yaml", { cwd: root }))).sort().map(async (path) => {
    const { interface: channels } = parse(await readFile(join(root, path), "utf8")) as {
      readonly interface: readonly string[];
    };
    return { id: dirname(path), screen: channels.some((channel) => channel !== "shell") };
  }),
);

export const shellWorkflows: readonly string[] = byScreen.filter(({ screen }) => !screen).map(({ id }) => id);
export const screenWorkflows: readonly string[] = byScreen.filter(({ screen }) => screen).map(({ id }) => id);

/** The id of the workflow's first instance. */
export async function firstInstance(workflow: string): Promise<string> {
  const { instances } = parse(await readFile(join(root, workflow, "task.yaml"), "utf8")) as {
    readonly instances: readonly { readonly variant: string }[];
  };
  return `${workflow}@${instances[0]?.variant}`;
}

/** Checks these workflows, and expects them clean. @param mutations most of them per instance, default as the command's. */
export async function checkTasks(ids: readonly string[], mutations?: number): Promise<CheckReport> {
  await using workplace = await createWorkplace();
  const most = mutations === undefined ? [] : ["--mutations", `${mutations}`];
  const run = await workplace.ale("tasks", "check", ...ids, "--tasks-root", root, "--json", ...most);
  expect(run.stdout, run.stderr).not.toBe("");
  const report = JSON.parse(run.stdout) as CheckReport;
  for (const instance of report.instances) {
    expect(instance).toMatchObject({ untouched: 0, oracle: 1, deterministic: true, ok: true });
    expect(instance.probes.filter((probe) => !probe.ok)).toEqual([]);
  }
  expect(run.status).toBe(0);
  return report;
}
