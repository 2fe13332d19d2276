import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace } from "./run-ale.ts";

const run = promisify(execFile);

test("the packed package, installed in another project, sits and grades an exam", async () => {
  await using workplace = await createWorkplace();
  const { dir } = workplace;
  const modules = join(dir, "project", "node_modules");
  await mkdir(join(dir, "project"));
  // The dependencies as npm would put them; hard links where the file system has them.
  await run("cp", ["--recursive", "--link", join(repositoryRoot, "node_modules"), modules]).catch(() =>
    run("cp", ["--recursive", join(repositoryRoot, "node_modules"), modules]),
  );
  await run(process.execPath, [join(repositoryRoot, "scripts", "build.ts"), "--into", join(dir, "built")]);
  const { stdout: packed } = await run("npm", [
    "pack",
    "--silent",
    "--pack-destination",
    dir,
    join(dir, "built"),
  ]);
  await mkdir(join(modules, "ale"));
  await run("tar", [
    "xzf",
    join(dir, packed.trim()),
    "--strip-components",
    "1",
    "--directory",
    join(modules, "ale"),
  ]);

  const exam = [
    "run",
    "--agent",
    "oracle",
    "--agent",
    "nop",
    "--tasks-root",
    join(repositoryRoot, "test", "tasks"),
  ];
  const environment = {
    ...process.env,
    ALE_CACHE_DIR: join(dir, "cache"),
    ALE_STATE_DIR: join(dir, "state"),
  };
  const { stdout } = await run(
    process.execPath,
    [join(modules, "ale", "bin", "ale.mjs"), ...exam, "--json"],
    {
      cwd: join(dir, "project"),
      env: environment,
    },
  );
  const report = JSON.parse(stdout) as {
    contestants: { contestant: string; fullPass: { passes: number; n: number } }[];
  };
  expect(report.contestants.map((row) => [row.contestant, row.fullPass.passes, row.fullPass.n])).toEqual([
    ["oracle", 2, 2],
    ["nop", 0, 2],
  ]);
});
