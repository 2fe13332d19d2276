import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SandboxSpec } from "../provider.ts";
import type { EngineFacts } from "./engine-facts.ts";
import { isSoonCopied, machineKind, sharedSpec } from "./machine-kind.ts";

const facts: EngineFacts = {
  name: "docker",
  version: "20.10",
  apiVersion: "1.41",
  rootless: false,
  storageDriver: "overlay2",
  memoryBytes: 8e9,
  cpus: 2,
  limits: { memory: true, cpu: true, pids: true },
  hasBridge: false,
  lendsBridge: false,
  gpus: { kind: "none" },
};

let folder = "";
let spec: SandboxSpec;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-kind-"));
  await writeFile(join(folder, "program"), "one");
  await mkdir(join(folder, "artifacts"));
  await writeFile(join(folder, "artifacts", "answer"), "42");
  spec = {
    labels: { run: "kind", trial: "one", attempt: 1, role: "verifier" },
    leaseSeconds: 600,
    cpus: 1,
    memoryMb: 512,
    diskMb: 64,
    maxProcesses: 128,
    network: "off",
    mounts: [{ source: join(folder, "program"), target: "/ale/program" }],
    env: {},
  };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const kindOf = (changes: Partial<SandboxSpec> = {}, image = "sha256:a"): string =>
  machineKind(sharedSpec({ ...spec, ...changes }), image, facts);

test("machines that differ in what comes with their taker are of one kind", () => {
  const alike: readonly Partial<SandboxSpec>[] = [
    { labels: { ...spec.labels, trial: "two", attempt: 3 } },
    { env: { A: "b" } },
    { leaseSeconds: 5 },
    { network: { allow: ["example.org:443"] } },
    { mounts: [...spec.mounts, { source: join(folder, "artifacts"), target: "/ale/artifacts", own: true }] },
  ];
  for (const changes of alike) expect(kindOf(changes)).toBe(kindOf());
});

test("machines that differ in what a container is created with are not", () => {
  const others: readonly Partial<SandboxSpec>[] = [
    { memoryMb: 1024 },
    { cpus: 2 },
    { diskMb: 128 },
    { network: "open" },
    { mounts: [] },
    { gpus: 1 },
  ];
  for (const changes of others) expect(kindOf(changes)).not.toBe(kindOf());
  expect(kindOf({}, "sha256:b")).not.toBe(kindOf());
});

test("a source that is replaced at the same path makes another kind", async () => {
  const before = kindOf();
  await writeFile(join(folder, "program"), "changed in place, and so seen inside");
  expect(kindOf()).toBe(before);
  await rename(join(folder, "program"), join(folder, "old"));
  await writeFile(join(folder, "program"), "two");
  expect(kindOf()).not.toBe(before);
});

test("what is a machine's own is soon copied when it is small, and all there", async () => {
  const own = (source: string) => [{ source: join(folder, source), target: "/ale/x", own: true }] as const;
  await mkdir(join(folder, "many"));
  for (let index = 0; index < 70; index++) await writeFile(join(folder, "many", `${index}`), "");
  await writeFile(join(folder, "large"), Buffer.alloc(17 * 1024 * 1024));
  expect(await isSoonCopied(own("artifacts"))).toBe(true);
  expect(await isSoonCopied(own("many"))).toBe(false);
  expect(await isSoonCopied(own("large"))).toBe(false);
  expect(await isSoonCopied(own("absent"))).toBe(false);
  expect(await isSoonCopied([{ source: join(folder, "large"), target: "/ale/x" }])).toBe(true);
});
