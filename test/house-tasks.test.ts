import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTasks } from "../src/task/find-tasks.ts";
import { markFindings } from "../src/task/lint/mark-findings.ts";
import { nativeFormat } from "../src/task/native/native-format.ts";
import { repositoryRoot } from "./source-imports.ts";

const { packages, malformed } = await findTasks([join(repositoryRoot, "tasks")], [nativeFormat]);

describe("the tasks of the house", () => {
  test("can all be read", () => {
    expect(malformed).toEqual([]);
  });

  test("give no instance of one seed twice, and every canary once", () => {
    const canaries = packages.map((task) => task.manifest.canary);
    expect(new Set(canaries).size).toBe(canaries.length);
    for (const task of packages) {
      const seeds = task.instances.map((instance) => JSON.stringify([instance.seed, instance.params]));
      expect(new Set(seeds).size).toBe(seeds.length);
    }
  });

  // What the graders are worth is proved by `npm run test:full`, which runs `ale tasks check --all`.
  test.each(packages.map((task) => [task.manifest.id, task] as const))(
    "%s gives the lint nothing to say",
    (_, task) => {
      expect(
        [...task.findings, ...markFindings(task)].filter((finding) => finding.severity !== "note"),
      ).toEqual([]);
      expect(task.instances.length).toBeGreaterThanOrEqual(2);
    },
  );
});
