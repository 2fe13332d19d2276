import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
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
