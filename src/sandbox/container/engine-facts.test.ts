import { expect, test } from "vitest";
import { connectEngine } from "./engine.ts";
import type { EngineFacts } from "./engine-facts.ts";
import {
  dockerAnswers,
  type EngineAnswers,
  podmanAnswers,
  startEngineDouble,
} from "./test-support/engine-double.ts";

async function factsOf(answers: EngineAnswers): Promise<EngineFacts> {
  await using double = await startEngineDouble(answers);
  return (await connectEngine([double.socket])).facts;
}

const all = { memory: true, cpu: true, pids: true };
const none = { memory: false, cpu: false, pids: false };

test("Docker says itself which limits it can enforce", async () => {
  expect(await factsOf(dockerAnswers)).toMatchObject({ name: "docker", rootless: false, limits: all });
  const info = {
    ...dockerAnswers["GET /info"],
    MemoryLimit: false,
    CpuCfsQuota: false,
    PidsLimit: false,
    SecurityOptions: ["name=seccomp,profile=default", "name=rootless"],
  };
  expect(await factsOf({ ...dockerAnswers, "GET /info": info })).toMatchObject({
    rootless: true,
    limits: none,
  });
});

test("of Podman counts what was delegated to it, not what its host could enforce", async () => {
  expect(await factsOf(podmanAnswers)).toMatchObject({ name: "podman", rootless: false, limits: all });
  const rootless: EngineAnswers = {
    ...podmanAnswers,
    "GET /info": { ...podmanAnswers["GET /info"], Rootless: true },
  };
  const delegated = (cgroupControllers: readonly string[]): EngineAnswers => ({
    ...rootless,
    "GET /libpod/info": { host: { cgroupVersion: "v2", cgroupControllers } },
  });
  expect(await factsOf(delegated([]))).toMatchObject({ rootless: true, limits: none });
  expect(await factsOf(delegated(["memory", "pids"]))).toMatchObject({ limits: { ...all, cpu: false } });
  const { "GET /libpod/info": _, ...silent } = rootless;
  expect(await factsOf(silent)).toMatchObject({ limits: none });
  expect(await factsOf({ ...silent, "GET /info": podmanAnswers["GET /info"] ?? {} })).toMatchObject({
    limits: all,
  });
});
