import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type RegistryDouble,
  startRegistry,
} from "../../src/sandbox/container/test-support/registry/registry-double.ts";
import {
  type RegistryImage,
  registryImage,
} from "../../src/sandbox/container/test-support/registry/registry-image.ts";
import { tinySystem } from "../../src/sandbox/container/test-support/registry/tiny-system.ts";
import { startDaemon, type TestDaemon } from "../../src/sandbox/container/test-support/start-daemon.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";

const dockerHost = process.env["DOCKER_HOST"];
let daemon: TestDaemon;
let registry: RegistryDouble;
let image: RegistryImage;
let workplace: Workplace;

beforeAll(async () => {
  daemon = await startDaemon();
  process.env["DOCKER_HOST"] = `unix://${daemon.socket}`;
  workplace = await createWorkplace();
  registry = await startRegistry();
  image = registryImage({ layers: [await tinySystem()] });
  registry.publish("team/tiny", "1", image);
});

afterAll(async () => {
  await workplace?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
  if (dockerHost === undefined) delete process.env["DOCKER_HOST"];
  else process.env["DOCKER_HOST"] = dockerHost;
});

/** Sits the fixture task in an image. */
async function sit(name: string, version: string): ReturnType<Workplace["ale"]> {
  const root = join(workplace.dir, `${name}-tasks`);
  const dir = join(root, "computing_math/sum_column");
  await cp(join(repositoryRoot, "test/tasks/computing_math/sum_column"), dir, { recursive: true });
  const manifest = await readFile(join(dir, "task.yaml"), "utf8");
  const machine = `sandbox: { image: "${registry.address}/team/tiny${version}",`;
  await writeFile(join(dir, "task.yaml"), manifest.replace("sandbox: {", machine));
  const where = ["--tasks-root", root, "--runs-dir", join(workplace.dir, name), "--provider", "container"];
  return workplace.ale("run", "--agent", "nop", "--task", "*/*@small", ...where, "--json");
}

test("an exam whose image no registry has is not begun, and says which name to correct", async () => {
  const { status, stderr } = await sit("absent", ":2");
  expect(status).not.toBe(0);
  expect(stderr).toContain(`has no image ${registry.address}/team/tiny:2`);
  expect(stderr).toContain(`correct the name ${registry.address}/team/tiny:2`);
});

test("an image that breaks while it is fetched is a failure of the environment, never a score", async () => {
  registry.faults.set(image.layers[0] ?? "", "wrong-digest");
  const { status, stdout, stderr } = await sit("broken", ":1");
  expect(status, stderr).toBe(1);
  const { dir } = JSON.parse(stdout) as { readonly dir: string };
  const listed = JSON.parse((await workplace.ale("results", "ls", dir, "--json")).stdout) as unknown;
  expect(listed).toEqual(
    expect.arrayContaining([expect.objectContaining({ status: "env_error", score: null, fullPass: null })]),
  );
});
