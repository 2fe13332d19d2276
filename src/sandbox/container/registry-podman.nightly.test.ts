import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import type { SandboxSpec } from "../provider.ts";
import { connectEngine } from "./engine.ts";
import { providerOn } from "./test-support/conformance-target.ts";
import { type RegistryDouble, startRegistry } from "./test-support/registry/registry-double.ts";
import { type RegistryImage, registryImage } from "./test-support/registry/registry-image.ts";
import { oneFile, tinySystem } from "./test-support/registry/tiny-system.ts";
import { startPodman, type TestPodman } from "./test-support/start-podman.ts";

let folder = "";
let registry: RegistryDouble;
let podman: TestPodman;
let image: RegistryImage;
let cases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-registry-podman-"));
  registry = await startRegistry();
  podman = await startPodman(registry.address);
  image = registryImage({ layers: [await tinySystem(), await oneFile("edition", "first\n")] });
  registry.publish("team/tiny", "1", image);
});

afterAll(async () => {
  await podman?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function edition(version: string, credentialFiles: readonly string[] = []): Promise<string> {
  const provider = providerOn(podman.socket, join(folder, `${cases++}`), "base", 0, { credentialFiles });
  const spec: SandboxSpec = testMachine({
    run: "registry",
    image: `${registry.address}/team/tiny${version}`,
  });
  try {
    await using sandbox = await provider.create(spec);
    expect(await sandbox.fingerprint()).toMatchObject({
      image: { id: image.id, digests: [`${registry.address}/team/tiny@${image.digest}`] },
    });
    return Buffer.from(await sandbox.readFile("/edition")).toString();
  } finally {
    const { docker } = await connectEngine([podman.socket]);
    for (const { Id } of await docker.listImages()) await docker.getImage(Id).remove({ force: true });
  }
}

test("Podman fetches an image by tag and by digest, and its digest is in the fingerprint", async () => {
  expect(await edition(":1")).toBe("first\n");
  expect(await edition(`@${image.digest}`)).toBe("first\n");
});

test("a login that is written down is shown to the registry", async () => {
  const path = join(folder, "auth.json");
  const auth = Buffer.from("ada:a secret").toString("base64");
  await writeFile(path, JSON.stringify({ auths: { [`${registry.address}/team`]: { auth } } }));
  registry.auth = { kind: "bearer", user: "ada", password: "a secret" };
  await expect(edition(":1")).rejects.toMatchObject({
    remedy: expect.stringContaining(`podman login ${registry.address}`),
    cause: { code: "image-denied" },
  });
  expect(await edition(":1", [path])).toBe("first\n");
  registry.auth = undefined;
});

test("an absent image, broken layers and a registry that is busy are told as with Docker", async () => {
  await expect(edition(":2")).rejects.toMatchObject({ cause: { code: "no-image" } });
  for (const fault of ["cut", "wrong-digest"] as const) {
    registry.faults.set(image.layers[0] ?? "", fault);
    await expect(edition(":1")).rejects.toMatchObject({ cause: { code: "image-broken" } });
  }
  registry.faults.clear();
  registry.busy = true;
  await expect(edition(":1")).rejects.toMatchObject({ cause: { code: "registry-busy" } });
  registry.busy = false;
});
