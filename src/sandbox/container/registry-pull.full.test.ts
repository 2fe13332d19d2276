import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import type { SandboxSpec } from "../provider.ts";
import type { PullProgress } from "./container-options.ts";
import type { ContainerProvider } from "./container-provider.ts";
import { connectEngine, type Engine } from "./engine.ts";
import { providerOn } from "./test-support/conformance-target.ts";
import { type RegistryDouble, startRegistry } from "./test-support/registry/registry-double.ts";
import { type RegistryImage, registryImage } from "./test-support/registry/registry-image.ts";
import { oneFile, tinySystem } from "./test-support/registry/tiny-system.ts";
import { startDaemon, type TestDaemon } from "./test-support/start-daemon.ts";

let folder = "";
let daemon: TestDaemon;
let engine: Engine;
let system: Buffer;
let first: RegistryImage;
let second: RegistryImage;
let registry: RegistryDouble;
let cases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-registry-"));
  daemon = await startDaemon();
  engine = await connectEngine([daemon.socket]);
  system = await tinySystem();
  first = registryImage({ layers: [system, await oneFile("edition", "first\n")] });
  second = registryImage({ layers: [system, await oneFile("edition", "second\n")] });
});

beforeEach(async () => {
  registry = await startRegistry();
  registry.publish("team/tiny", "1", first);
});

afterEach(async () => {
  for (const { Id } of await engine.docker.listImages()) {
    await engine.docker.getImage(Id).remove({ force: true });
  }
  await registry[Symbol.asyncDispose]();
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const usual: SandboxSpec = testMachine({ run: "registry" });

const named = (version: string, repository = "team/tiny"): SandboxSpec => ({
  ...usual,
  image: `${registry.address}/${repository}${version}`,
});

/** As a new command of the same user has it. */
function freshProvider(further: Parameters<typeof providerOn>[4] = {}): ContainerProvider {
  return providerOn(daemon.socket, join(folder, `state-${cases++}`), "base", 0, further);
}

async function editionIn(provider: ContainerProvider, spec: SandboxSpec): Promise<string> {
  await using sandbox = await provider.create(spec);
  return Buffer.from(await sandbox.readFile("/edition")).toString();
}

const errorOf = async (spec: SandboxSpec, provider = freshProvider()): Promise<unknown> =>
  provider.create(spec).catch((error: unknown) => error);

describe("an image of a registry", () => {
  test("is fetched by its tag, told how far it is, and its digest is in the fingerprint", async () => {
    const told: PullProgress[] = [];
    const provider = freshProvider({ onPull: (progress) => void told.push(progress) });
    expect(await provider.preflight(named(":1"))).toContainEqual({
      severity: "note",
      code: "image-to-pull",
      message: `the image ${registry.address}/team/tiny:1 (${first.digest}) is fetched on first use`,
    });
    await using sandbox = await provider.create(named(":1"));
    const digests = [`${registry.address}/team/tiny@${first.digest}`];
    expect(await sandbox.fingerprint()).toMatchObject({ image: { id: first.id, digests } });
    const size = first.layers.reduce((sum, digest) => sum + (first.blobs.get(digest)?.length ?? 0), 0);
    expect(told.at(-1)).toEqual({ image: named(":1").image, bytes: size, totalBytes: size });
    const bytes = told.map((progress) => progress.bytes);
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  });

  test("is fetched by its digest, also where a tag stands beside it", async () => {
    expect(await editionIn(freshProvider(), named(`@${first.digest}`))).toBe("first\n");
    registry.publish("team/tiny", "1", second);
    expect(await editionIn(freshProvider(), named(`:1@${first.digest}`))).toBe("first\n");
    expect(await freshProvider().preflight(named(`:1@${first.digest}`))).not.toContainEqual(
      expect.objectContaining({ code: "image-moved" }),
    );
  });

  test("without a tag is the latest, and no other tag is fetched", async () => {
    registry.publish("team/tiny", "latest", second);
    expect(await editionIn(freshProvider(), named(""))).toBe("second\n");
    const tags = (await engine.docker.listImages()).flatMap((image) => image.RepoTags ?? []);
    expect(tags).toEqual([`${registry.address}/team/tiny:latest`]);
  });

  test("made for several processors is that of this host's, and one for others alone is told", async () => {
    registry.publish("many", "1", registryImage({ layers: [system], architectureOfIndex: "amd64" }));
    registry.publish("other", "1", registryImage({ layers: [system], architectureOfIndex: "s390x" }));
    await using _sandbox = await freshProvider().create(named(":1", "many"));
    const error = await errorOf(named(":1", "other"));
    expect(error).toMatchObject({ code: "sandbox-create", cause: { code: "image-of-other-machine" } });
  });

  test("whose tag is moved stays what it was for a command, and preflight of the next says so", async () => {
    const provider = freshProvider();
    expect(await editionIn(provider, named(":1"))).toBe("first\n");
    registry.publish("team/tiny", "1", second);
    const name = `${registry.address}/team/tiny`;
    const warning = {
      severity: "warning",
      code: "image-moved",
      message: `${registry.address} calls another image ${name}:1 by now: the daemon here has an older one, which machines are made of.`,
      remedy: `docker pull ${name}:1; or name one for good, as ${name}@${second.digest}`,
    };
    expect(await freshProvider().preflight(named(":1"))).toContainEqual(warning);
    await editionIn(freshProvider(), named(`@${second.digest}`));
    await engine.docker.getImage(`${name}@${second.digest}`).tag({ repo: name, tag: "1" });
    expect(await editionIn(provider, named(":1"))).toBe("first\n");
    expect(await editionIn(freshProvider(), named(":1"))).toBe("second\n");
    expect(await freshProvider().preflight(named(":1"))).not.toContainEqual(warning);
  });

  test("that is there is taken when its registry is away", async () => {
    expect(await editionIn(freshProvider(), named(":1"))).toBe("first\n");
    await registry[Symbol.asyncDispose]();
    const findings = await freshProvider().preflight(named(":1"));
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await editionIn(freshProvider(), named(":1"))).toBe("first\n");
    registry = await startRegistry();
  });
});

describe("fetching that is given up", () => {
  const remains = async (): Promise<readonly unknown[]> => [
    ...(await engine.docker.listContainers({ all: true })),
    ...(await engine.docker.listImages({ all: true })),
    ...(await readdir(join(daemon.data, "tmp"))),
    ...(await readdir(join(daemon.data, "image/overlay2/layerdb/sha256")).catch(() => [])),
  ];

  test("leaves nothing behind, and the next time it is fetched from the start", async () => {
    const lower = first.layers[0] ?? "";
    registry.faults.set(lower, "stall");
    const provider = freshProvider();
    const giving = new AbortController();
    const creating = provider.create(named(":1"), giving.signal);
    await registry.stalled;
    giving.abort(new RangeError("given up"));
    await expect(creating).rejects.toThrow("given up");
    await expect.poll(remains, { timeout: 60_000 }).toEqual([]);
    registry.faults.clear();
    expect(await editionIn(provider, named(":1"))).toBe("first\n");
  });

  test("by one goes on for another who waits for the same image", async () => {
    registry.faults.set(first.layers[0] ?? "", "stall");
    const provider = freshProvider();
    const giving = new AbortController();
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const left = provider.create(named(":1"), leaving.signal);
    const stayed = provider.create(named(":1"), staying.signal);
    await registry.stalled;
    leaving.abort(new RangeError("the first has given up"));
    await expect(left).rejects.toThrow("the first has given up");
    const calls = registry.calls.length;
    const late = provider.create(named(":1"), giving.signal);
    staying.abort(new RangeError("so has the second"));
    await expect(stayed).rejects.toThrow("so has the second");
    giving.abort(new RangeError("and the third"));
    await expect(late).rejects.toThrow("and the third");
    expect(registry.calls.length).toBe(calls);
  });
});

describe("an image that cannot be fetched is told, with what to do:", () => {
  /** Preflight says it before the exam; and where it is seen only while machines are made, so does that. */
  async function expectBoth(spec: SandboxSpec, code: string, remedy: string | RegExp): Promise<void> {
    const told = {
      code,
      remedy: expect.stringMatching(remedy),
      message: expect.stringContaining(spec.image ?? ""),
    };
    expect(await freshProvider().preflight(spec)).toContainEqual({ severity: "error", ...told });
    expect(await errorOf(spec)).toMatchObject({
      code: "sandbox-create",
      remedy: told.remedy,
      cause: { code },
    });
  }

  test("there is no such tag, no such digest, no such repository", async () => {
    const absent = `@sha256:${"0".repeat(64)}`;
    for (const spec of [named(":2"), named(absent), named(":1", "team/tinny")]) {
      await expectBoth(spec, "no-image", `^correct the name ${spec.image}`);
    }
  });

  test("the registry is not there", async () => {
    const spec = named(":1");
    await registry[Symbol.asyncDispose]();
    expect(await freshProvider().preflight(spec)).toContainEqual(
      expect.objectContaining({ severity: "error", code: "registry-unreachable" }),
    );
    expect(await errorOf(spec)).toMatchObject({
      code: "sandbox-create",
      remedy: expect.stringContaining(`docker pull ${spec.image}`),
    });
    registry = await startRegistry();
  });

  test("the registry wants no more calls", async () => {
    registry.busy = true;
    await expectBoth(named(":1"), "registry-busy", `docker login ${registry.address}`);
  });

  test.each(["basic", "bearer"] as const)("the registry does not know who asks (%s)", async (kind) => {
    registry.auth = { kind, user: "ada", password: "a secret" };
    await expectBoth(named(":1"), "image-denied", `docker login ${registry.address}`);
  });

  test.each(["cut", "wrong-digest"] as const)("a layer is broken (%s)", async (fault) => {
    registry.faults.set(first.layers[0] ?? "", fault);
    const error = await errorOf(named(":1"));
    expect(error).toMatchObject({
      code: "sandbox-create",
      remedy: expect.stringContaining("try again"),
      cause: { code: "image-broken" },
    });
    expect(await engine.docker.listImages()).toEqual([]);
  });

  test("the daemon's disk is full", async () => {
    await using small = await startDaemon({ diskMb: 12 });
    const provider = providerOn(small.socket, join(folder, "small"), "base");
    expect(await errorOf(named(":1"), provider)).toMatchObject({
      code: "sandbox-create",
      remedy: "ale sandboxes prune, or docker system prune",
      cause: { code: "disk-full" },
    });
  });
});

describe("a login", () => {
  const entry = Buffer.from("ada:a:secret").toString("base64");

  async function fileWith(content: object): Promise<string> {
    const path = join(folder, `config-${cases++}.json`);
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  test.each(["basic", "bearer"] as const)(
    "that docker or podman has written down is used (%s)",
    async (kind) => {
      registry.auth = { kind, user: "ada", password: "a:secret" };
      for (const key of [registry.address, `http://${registry.address}/v2/`, `${registry.address}/team`]) {
        const path = await fileWith({
          auths: { "elsewhere.test": { auth: "eA==" }, [key]: { auth: entry } },
        });
        const provider = freshProvider({ credentialFiles: [join(folder, "absent.json"), path] });
        expect(await provider.preflight(named(":1"))).not.toContainEqual(
          expect.objectContaining({ severity: "error" }),
        );
        expect(await editionIn(provider, named(":1"))).toBe("first\n");
        await engine.docker.getImage(named(":1").image ?? "").remove({ force: true });
      }
    },
  );

  test("that has become wrong is told, and is in no message", async () => {
    registry.auth = { kind: "basic", user: "ada", password: "another" };
    const path = await fileWith({ auths: { [registry.address]: { auth: entry } } });
    const provider = freshProvider({ credentialFiles: [path] });
    const error = (await errorOf(named(":1"), provider)) as Error;
    expect(error).toMatchObject({ cause: { code: "image-denied" } });
    expect(String(error.message) + String((error.cause as Error).message)).not.toMatch(/a:secret|YWRh/);
  });

  test("that a helper keeps is asked of it; one that is not installed hinders nobody who needs no login", async () => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const helper = join(bin, "docker-credential-ale-test");
    const script = `#!/bin/sh
read server
[ "$server" = "${registry.address}" ] || { echo "credentials not found in native keychain"; exit 1; }
echo '{"ServerURL":"'"$server"'","Username":"ada","Secret":"a:secret"}'
`;
    await writeFile(helper, script);
    await chmod(helper, 0o755);
    const files = [
      await fileWith({ credHelpers: { [registry.address]: "ale-test" } }),
      await fileWith({ credsStore: "ale-test" }),
    ];
    const missing = await fileWith({ credsStore: "ale-absent" });
    const path = process.env["PATH"];
    process.env["PATH"] = `${bin}:${path}`;
    try {
      registry.auth = { kind: "bearer", user: "ada", password: "a:secret" };
      for (const file of files) {
        expect(await editionIn(freshProvider({ credentialFiles: [file] }), named(":1"))).toBe("first\n");
        await engine.docker.getImage(named(":1").image ?? "").remove({ force: true });
      }
      expect(await errorOf(named(":1"), freshProvider({ credentialFiles: [missing] }))).toMatchObject({
        remedy: `install docker-credential-ale-absent, or remove it from ${missing} and log in again`,
      });
      registry.auth = undefined;
      expect(await editionIn(freshProvider({ credentialFiles: [missing] }), named(":1"))).toBe("first\n");
    } finally {
      process.env["PATH"] = path;
    }
  });
});
