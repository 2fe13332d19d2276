import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repositoryRoot } from "../../../test/source-imports.ts";
import { layWindowsRuntime } from "./windows-runtime.ts";

let dir = "";

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-runtime-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("a task's program runs on what is laid out for it, which is a small part of the package", async () => {
  const task = join(repositoryRoot, "test", "tasks", "computing_math", "sum_column");
  const runtime = {
    packageRoot: repositoryRoot,
    nodeModules: join(repositoryRoot, "node_modules"),
    nodeBinary: process.execPath,
  };
  const folder = await layWindowsRuntime(runtime, task, dir);
  expect(await layWindowsRuntime(runtime, task, dir)).toBe(folder);
  expect((await readdir(join(folder, "src"))).sort()).not.toContain("sandbox");
  expect(await readdir(join(folder, "node_modules"))).not.toContain("hono");
  await cp(task, join(folder, "tasks", "task"), { recursive: true });
  // Where nothing of the checkout is found by accident.
  const { stdout } = await promisify(execFile)(process.execPath, ["tasks/task/main.ts", "--help"], {
    cwd: folder,
  });
  expect(stdout).toContain("node main.ts check");
});
