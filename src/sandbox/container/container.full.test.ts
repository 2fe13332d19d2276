import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMachine } from "../../testing/test-machine.ts";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import type { SandboxSpec } from "../provider.ts";
import { containerSkips } from "./conformance-skips.ts";
import { connectEngine } from "./engine.ts";
import type { BuiltImage } from "./images/build-image.ts";
import { buildBase } from "./test-support/build-base.ts";
import { containerTarget, providerOn } from "./test-support/conformance-target.ts";
import { startDaemon, type TestDaemon } from "./test-support/start-daemon.ts";

let folder = "";
let daemon: TestDaemon;
let base: BuiltImage;
let target: ConformanceTarget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-container-"));
  daemon = await startDaemon();
  base = await buildBase(daemon.socket);
  target = await containerTarget(daemon.socket, folder, "base");
});

afterAll(async () => {
  await target?.provider.reap({ force: true });
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const spec: SandboxSpec = testMachine({ run: "container" });

sandboxConformance("the container provider, on Docker", () => target, { skips: containerSkips });

describe("images", () => {
  test("the label holds the digest of what is installed, and every fingerprint has it", async () => {
    const digest = `sha256:${createHash("sha256").update(base.installed.join("\n")).digest("hex")}`;
    expect(base.packages).toBe(digest);
    await using sandbox = await target.provider.create(spec);
    expect(await sandbox.fingerprint()).toMatchObject({ image: { id: base.id }, packages: digest });
  });

  test("a file of the system that root changes is listed", async () => {
    await using sandbox = await target.provider.create(spec);
    await sandbox.markBaseline();
    await sandbox.exec(["/bin/sh", "-c", "rm /etc/issue; echo x > /usr/local/new"], { user: "root" });
    expect(await sandbox.changes()).toEqual([
      { path: "/etc/issue", change: "deleted" },
      { path: "/usr/local/new", change: "created-or-changed" },
    ]);
  });

  test("an image that is not there is told with how to build it", async () => {
    const findings = await target.provider.preflight({ ...spec, image: "office" });
    expect(findings).toContainEqual({
      severity: "error",
      code: "no-image",
      message: "the daemon has no image office",
      remedy: "ale sandboxes build office",
    });
    await expect(target.provider.create({ ...spec, image: "office" })).rejects.toMatchObject({
      code: "sandbox-create",
      remedy: "ale sandboxes build office",
    });
  });

  test("another image is fetched by its registry, and a registry that does not answer is told", async () => {
    const image = "127.0.0.1:9/nobody/there:1";
    await expect(target.provider.create({ ...spec, image })).rejects.toMatchObject({
      code: "sandbox-create",
    });
  });

  test("a Dockerfile on top of base gives an image with both lists of packages", async () => {
    const engine = await connectEngine([daemon.socket]);
    const { buildWithDaemon } = await import("./images/build-with-daemon.ts");
    const { cp } = await import("node:fs/promises");
    const images = join(import.meta.dirname, "../../../images");
    const context = join(folder, "context");
    await mkdir(context);
    await cp(join(images, "science/Dockerfile"), join(context, "Dockerfile"));
    await cp(join(images, "finish.sh"), join(context, "finish.sh"));
    await writeFile(join(context, "packages.txt"), "# one that is small\nbsdgames\n");
    const installed = await buildWithDaemon({
      engine,
      context,
      name: "games",
      onLine: () => undefined,
      label: () => "sha256:test",
    });
    expect(installed.some((entry) => entry.startsWith("bsdgames="))).toBe(true);
    expect(installed.some((entry) => entry.startsWith("python3="))).toBe(true);
    await using sandbox = await target.provider.create({ ...spec, image: "games" });
    expect(await sandbox.fingerprint()).toMatchObject({ packages: "sha256:test" });
  });
});

describe("machines made ahead", () => {
  const idsOf = async (): Promise<readonly string[]> =>
    (await target.provider.list()).map((entry) => entry.id).sort();

  test("are ready before they are asked for, like any other then, and used once", async () => {
    {
      await using provider = providerOn(daemon.socket, join(folder, "ahead"), "base", 2);
      await provider.warm(spec);
      const [ready] = await provider.list();
      expect(ready).toMatchObject({ labels: { ...spec.labels, trial: "ready" }, ownerAlive: true });
      const labels = { ...spec.labels, trial: "late" };
      await using first = await provider.create({
        ...spec,
        labels,
        env: { LATE: "yes" },
        network: { allow: [] },
      });
      expect(first.id).toBe(ready?.id);
      expect((await provider.list()).find((entry) => entry.id === first.id)?.labels).toEqual(labels);
      const result = await first.exec(["/bin/sh", "-c", "echo $LATE; echo mine > note"]);
      expect(Buffer.from(result.stdout).toString()).toBe("yes\n");
      expect(await first.fingerprint()).toMatchObject({ network: { allow: [] } });
      await provider.warm(spec);
      await using second = await provider.create(spec);
      expect(await second.stat("/home/agent/note")).toBeUndefined();
      expect(await second.changes()).toEqual([]);
    }
    expect(await idsOf()).toEqual([]);
  });

  test("have a copy of what is theirs alone, which the agent cannot change, and mounts where that is large", async () => {
    const small = join(folder, "small");
    const large = join(folder, "large");
    await mkdir(small);
    await writeFile(join(small, "answer"), "42\n");
    await writeFile(large, Buffer.alloc(20_000_000));
    const wanted: SandboxSpec = { ...spec, mounts: [{ source: small, target: "/ale/artifacts", own: true }] };
    await using provider = providerOn(daemon.socket, join(folder, "own"), "base", 2);
    await provider.warm(spec);
    const [ready] = await provider.list();
    await using copied = await provider.create(wanted);
    expect(copied.id).toBe(ready?.id);
    const script =
      "cat /ale/artifacts/answer; (echo x > /ale/artifacts/answer; rm -r /ale/artifacts) 2> /dev/null";
    expect(Buffer.from((await copied.exec(["sh", "-c", script])).stdout).toString()).toBe("42\n");
    expect(Buffer.from(await copied.readFile("/ale/artifacts/answer")).toString()).toBe("42\n");
    await provider.warm(spec);
    const ids = await idsOf();
    const mounts = [...wanted.mounts, { source: large, target: "/ale/large", own: true } as const];
    await using mounted = await provider.create({ ...spec, mounts });
    expect(ids).not.toContain(mounted.id);
    expect(await mounted.stat("/ale/large")).toMatchObject({ bytes: 20_000_000 });
  });

  test("that have ended are not given, nor those whose mounts have been replaced", async () => {
    const program = join(folder, "program");
    await writeFile(program, "old");
    const wanted: SandboxSpec = { ...spec, mounts: [{ source: program, target: "/ale/program" }] };
    await using provider = providerOn(daemon.socket, join(folder, "ended"), "base", 2);
    await provider.warm(wanted);
    await provider.reap({ force: true });
    await using fresh = await provider.create(wanted);
    await provider.warm(wanted);
    await rename(join(folder, "program"), join(folder, "program.old"));
    await writeFile(program, "new");
    await using newer = await provider.create(wanted);
    for (const [sandbox, text] of [
      [fresh, "old"],
      [newer, "new"],
    ] as const) {
      expect(Buffer.from(await sandbox.readFile("/ale/program")).toString()).toBe(text);
    }
  });

  test("that hang hold up nobody who gives up, and are ended", async () => {
    await using provider = providerOn(daemon.socket, join(folder, "hanging"), "base", 1);
    await provider.warm(spec);
    const [ready] = await provider.list();
    const { docker } = await connectEngine([daemon.socket]);
    const container = docker.getContainer(`ale-${ready?.id}`);
    await container.pause();
    const giving = new AbortController();
    const creating = provider.create(spec, giving.signal);
    // By now it usually waits for the machine; whenever it gives up, the same holds.
    await hostClock.sleep(200);
    giving.abort(new RangeError("given up"));
    await expect(creating).rejects.toThrow("given up");
    expect(await idsOf()).not.toContain(ready?.id);
  });

  test("end with the process that made them, even when it is killed", async () => {
    const script = fileURLToPath(new URL("test-support/abandoned-owner.ts", import.meta.url));
    const owner = fork(script, [daemon.socket, join(folder, "killed"), "base", "2"]);
    await once(owner, "message");
    expect((await idsOf()).length).toBe(2);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    while ((await idsOf()).length > 0) await hostClock.sleep(10);
  });
});

describe("a graphics processor", () => {
  test("that the daemon does not have stops the machine, with what to install", async () => {
    const wanted = { ...spec, gpus: 1 };
    const remedy = expect.stringContaining("NVIDIA Container Toolkit");
    expect(await target.provider.preflight(wanted)).toContainEqual(
      expect.objectContaining({ severity: "error", code: "gpu", remedy }),
    );
    await expect(target.provider.create(wanted)).rejects.toMatchObject({ code: "sandbox-create", remedy });
  });
});

describe("memory", () => {
  test("that outlives its process is bounded, so that what fills it does not end the machine", async () => {
    await using sandbox = await target.provider.create(spec);
    const script = `
      my ($segments, $queues) = (0, 0);
      $segments++ while $segments < 1000 && defined shmget(0, 1 << 20, 01600);
      $queues++ while $queues < 1000 && defined msgget(0, 01600);
      print "$segments $queues";`;
    const { stdout } = await sandbox.exec(["perl", "-e", script]);
    expect(Buffer.from(stdout).toString()).toBe("64 64");
  });
});

describe("a daemon that goes", () => {
  test("loses the machine in a way that is told, and preflight says what to do", async () => {
    await using second = await startDaemon();
    const engine = await connectEngine([daemon.socket]);
    const provider = providerOn(second.socket, join(folder, "second"), "base");
    const other = await connectEngine([second.socket]);
    const stream = await other.docker.loadImage(await engine.docker.getImage("ale/base").get());
    await new Promise<void>((resolve, reject) => {
      other.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
    });
    const sandbox = await provider.create(spec);
    const running = await sandbox.spawn(["sleep", "3701"]);
    await second.kill();
    await expect(running.ended).rejects.toMatchObject({ code: "sandbox-gone" });
    await expect(sandbox.exec(["true"])).rejects.toMatchObject({ code: "sandbox-gone" });
    const fresh = providerOn(second.socket, join(folder, "second"), "base");
    expect(await fresh.preflight()).toMatchObject([{ severity: "error", code: "no-container-daemon" }]);
    expect(hostClock.now()).toBeGreaterThan(0);
  });
});
