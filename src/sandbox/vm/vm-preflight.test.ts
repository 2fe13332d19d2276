import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import type { Accelerator } from "./accelerator.ts";
import { imageFolder, sizesOf } from "./image/vm-image.ts";
import { preflightVm } from "./vm-preflight.ts";

let cache = "";

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "ale-preflight-"));
});
afterEach(() => rm(cache, { recursive: true, force: true }));

async function build(name: string, os: "linux" | "windows"): Promise<void> {
  const folder = imageFolder(cache, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "base.qcow2"), "disk");
  const files = await sizesOf(folder, ["base.qcow2"]);
  const facts = { schema: "ale/vm-image@1", name, os, digest: "sha256:1", packages: [], boot: "disk", files };
  await writeFile(join(folder, "image.json"), JSON.stringify(facts));
}

const kvm = async (): Promise<Accelerator> => ({ kind: "kvm", reason: "a kernel boots under it" });

async function codes(...spec: Parameters<typeof testMachine>): Promise<readonly string[]> {
  const found = await preflightVm(cache, testMachine({ diskMb: 64, ...spec[0] }), kvm, []);
  return found.map(({ code }) => code);
}

describe("a task that asks for Windows", () => {
  test("can be sat where the image is built", async () => {
    await build("windows", "windows");
    expect(await codes({ os: "windows" })).toEqual(["vm-kvm"]);
  });

  test("is told how to build the image where there is none", async () => {
    const found = await preflightVm(cache, testMachine({ os: "windows" }), kvm, []);
    expect(found).toMatchObject([{ severity: "error", code: "vm-image" }]);
    expect(found[0]?.remedy).toContain("ale sandboxes build windows --iso");
  });

  test("is refused an image of Linux, and a task of Linux one of Windows", async () => {
    await build("windows", "windows");
    await build("vm-linux", "linux");
    expect(await codes({ os: "windows", image: "vm-linux" })).toContain("vm-system");
    expect(await codes({ image: "windows" })).toContain("vm-system");
    expect(await codes({})).toEqual(["vm-kvm"]);
  });

  test("is given the memory that Windows itself takes besides", async () => {
    await build("windows", "windows");
    const memoryMb = Math.floor(totalmem() / 1024 / 1024) - 1000;
    expect(await codes({ os: "windows", memoryMb })).toContain("memory");
  });
});

test("an image that no recipe makes is answered with those that there are, and with containers for registries'", async () => {
  const image = "registry.example.org/foo:1";
  const found = await preflightVm(cache, testMachine({ image }), kvm, []);
  expect(found).toMatchObject([{ severity: "error", code: "vm-image" }]);
  expect(found[0]?.message).toMatch(
    /recipes, vm-linux and windows\. Images of registries.* are for containers/,
  );
  expect(found[0]?.remedy).toContain("--provider container");
  expect(found[0]?.remedy).not.toContain("ale sandboxes build");
});

test("a host that lacks a program is told so, and of nothing else", async () => {
  const missing = { severity: "error", code: "missing-program", message: "There is none." } as const;
  expect(await preflightVm(cache, undefined, kvm, [missing])).toEqual([missing]);
});

test("in general, virtual machines can be had where either system's image is built", async () => {
  expect(await preflightVm(cache, undefined, kvm, [])).toMatchObject([{ code: "vm-image" }]);
  await build("windows", "windows");
  expect(await preflightVm(cache, undefined, kvm, [])).toMatchObject([{ code: "vm-kvm" }]);
});
