import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDaemon, type TestDaemon } from "../../src/sandbox/container/test-support/start-daemon.ts";
import { repositoryRoot } from "../source-imports.ts";
import { firstInstance, shellWorkflows } from "./check-tasks.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";

interface Row {
  readonly contestant: string;
  readonly instance: string;
  readonly status: string;
  readonly score: number | null;
}

let tasks = "";
const dockerHost = process.env["DOCKER_HOST"];
let daemon: TestDaemon;
let workplace: Workplace;

beforeAll(async () => {
  daemon = await startDaemon();
  process.env["DOCKER_HOST"] = `unix://${daemon.socket}`;
  workplace = await createWorkplace();
  tasks = join(workplace.dir, "workflows");
  for (const name of shellWorkflows) {
    await cp(join(repositoryRoot, "tasks", name), join(tasks, name), { recursive: true });
  }
  const built = await workplace.ale("sandboxes", "build", "base", "--for", tasks, "--json");
  expect(built.status, built.stderr).toBe(0);
});

afterAll(async () => {
  await workplace?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
  if (dockerHost === undefined) delete process.env["DOCKER_HOST"];
  else process.env["DOCKER_HOST"] = dockerHost;
});

/** One instance of each workflow. */
async function verdicts(provider: string): Promise<readonly Row[]> {
  const contestants = ["--agent", "oracle", "--agent", "nop"];
  const where = ["--tasks-root", tasks, "--runs-dir", join(workplace.dir, provider), "--provider", provider];
  const instances = (await Promise.all(shellWorkflows.map(firstInstance))).flatMap((id) => ["--task", id]);
  const run = await workplace.ale("run", ...contestants, ...instances, ...where, "--json");
  expect(run.status, run.stderr).toBe(0);
  const { dir } = JSON.parse(run.stdout) as { readonly dir: string };
  const listed = await workplace.ale("results", "ls", dir, "--json");
  return (JSON.parse(listed.stdout) as readonly Row[])
    .map(({ contestant, instance, status, score }) => ({ contestant, instance, status, score }))
    .toSorted((a, b) => (`${a.contestant} ${a.instance}` < `${b.contestant} ${b.instance}` ? -1 : 1));
}

test("the six workflows get the same verdicts in containers as on local machines, and nothing is left", async () => {
  const inContainers = await verdicts("container");
  expect(inContainers.length).toBe(2 * shellWorkflows.length);
  expect(inContainers.filter((row) => row.contestant === "oracle").every((row) => row.score === 1)).toBe(
    true,
  );
  expect(inContainers).toEqual(await verdicts("local"));
  expect(JSON.parse((await workplace.ale("sandboxes", "ls", "--json")).stdout)).toEqual([]);
});

test("the doctor tells of each provider whether it works, and how fast it starts", async () => {
  const { stdout } = await workplace.ale("sandboxes", "doctor", "--json");
  const reports = JSON.parse(stdout) as readonly { readonly provider: string }[];
  for (const provider of ["local", "container"]) {
    const report = reports.find((each) => each.provider === provider);
    expect(report).toMatchObject({ works: true, startMs: expect.any(Number) });
  }
});

test("an exam may mix providers: a task that names an image sits in a container, another does not", async () => {
  const root = join(workplace.dir, "tasks");
  await copyFixture(root, "plain", "");
  await copyFixture(root, "imaged", "  image: base\n");
  const where = ["--tasks-root", root, "--runs-dir", join(workplace.dir, "mixed")];
  const run = await workplace.ale("run", "--agent", "oracle", ...where, "--json");
  expect(run.status, run.stderr).toBe(0);
  expect(run.stderr).toContain("machines by container: a task asks for the image base");
  const report = JSON.parse(run.stdout) as { readonly dir: string; readonly finished: number };
  const lock = JSON.parse(await readFile(join(report.dir, "lock.json"), "utf8")) as {
    readonly provider: { readonly details: unknown };
  };
  expect(lock.provider.details).toEqual({
    "computing_math/imaged": "container",
    "computing_math/plain": "local",
  });
});

/** The trivial task under another name, with more said of its machine. */
async function copyFixture(root: string, name: string, sandbox: string): Promise<void> {
  const dir = join(root, "computing_math", name);
  await cp(join(repositoryRoot, "test/tasks/computing_math/sum_column"), dir, { recursive: true });
  const path = join(dir, "task.yaml");
  const manifest = (await readFile(path, "utf8")).replaceAll("sum_column", name);
  await writeFile(path, sandbox === "" ? manifest : withSandbox(manifest, sandbox));
}

function withSandbox(manifest: string, lines: string): string {
  if (/^sandbox: \{/m.test(manifest)) return manifest.replace(/^sandbox: \{/m, `sandbox: { ${lines.trim()},`);
  return /^sandbox:\n/m.test(manifest)
    ? manifest.replace(/^sandbox:\n/m, `sandbox:\n${lines}`)
    : `${manifest}sandbox:\n${lines}`;
}
