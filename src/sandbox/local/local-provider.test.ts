import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import { localTarget } from "./test-support/conformance-target.ts";

let folder = "";
let target: ConformanceTarget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-local-"));
  target = await localTarget(folder);
});

afterAll(async () => {
  await target.provider.reap({ force: true });
  await rm(folder, { recursive: true, force: true });
});

sandboxConformance("the local provider, as the user who runs the tests", () => target);
