import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import type { SandboxSpec } from "../provider.ts";
import { containerSkips, podmanSkips } from "./conformance-skips.ts";
import { buildBase } from "./test-support/build-base.ts";
import { containerTarget } from "./test-support/conformance-target.ts";
import { startPodman, type TestPodman } from "./test-support/start-podman.ts";

let folder = "";
let podman: TestPodman;
let target: ConformanceTarget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-podman-suite-"));
  podman = await startPodman();
  await buildBase(podman.socket);
  target = await containerTarget(podman.socket, folder, "base");
});

afterAll(async () => {
  await target?.provider.reap({ force: true });
  await podman?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

sandboxConformance("the container provider, on Podman", () => target, {
  skips: { ...containerSkips, ...podmanSkips },
});

test("a machine that Podman made without the graphics processor asked for is an error, and is gone", async () => {
  const before = await target.provider.list();
  const spec: SandboxSpec = testMachine({ run: "podman", gpus: 1 });
  await expect(target.provider.create(spec)).rejects.toMatchObject({
    code: "sandbox-create",
    message: expect.stringContaining("without the graphics processor"),
  });
  expect(await target.provider.list()).toEqual(before);
});
