import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findVmImage, imageFolder, sizesOf } from "./vm-image.ts";

let cache: string;
let folder: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "ale-image-"));
  folder = imageFolder(cache, "vm-linux");
  await mkdir(folder, { recursive: true });
  const names = ["base.qcow2", "vmlinuz", "initrd"];
  for (const name of names) await writeFile(join(folder, name), name.repeat(100));
  const facts = {
    ...{ schema: "ale/vm-image@1", name: "vm-linux", os: "linux", digest: "sha256:1", packages: [] },
    ...{ boot: "kernel", files: await sizesOf(folder, names) },
  };
  await writeFile(join(folder, "image.json"), JSON.stringify(facts));
});
afterEach(() => rm(cache, { recursive: true, force: true }));

describe("an image of virtual machines", () => {
  test("is found when all of it is there", async () => {
    const image = await findVmImage(cache, "vm-linux");
    expect(image?.disk).toBe(join(folder, "base.qcow2"));
    expect(await findVmImage(cache, "other")).toBeUndefined();
  });

  test.each([
    ["a disk cut short", "base.qcow2 has 500 bytes and should have 1000", 500, "base.qcow2"],
    ["an empty kernel", "vmlinuz has 0 bytes", 0, "vmlinuz"],
    ["half a description", "image.json does not describe an image", 40, "image.json"],
  ])("with %s is refused, with what to do", async (_, message, bytes, file) => {
    await truncate(join(folder, file), bytes);
    await expect(findVmImage(cache, "vm-linux")).rejects.toMatchObject({
      code: "vm-image",
      message: expect.stringContaining(message) as string,
      remedy: "ale sandboxes build vm-linux",
    });
  });

  test("without its disk is refused", async () => {
    await rm(join(folder, "base.qcow2"));
    await expect(findVmImage(cache, "vm-linux")).rejects.toThrow("base.qcow2 is not there");
  });
});
