import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quickClock } from "../../../test/support/quick-clock.ts";
import { haveLinuxImage, vmCache } from "../../../test/support/vm/vm-image.ts";
import type { Clock } from "../../contract/clock.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { until } from "../conformance/expectations.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "../process-identity.ts";
import type { SandboxProvider } from "../provider.ts";
import { createVmProvider } from "./vm-provider.ts";

let folder = "";
let made = 0;

const spec = testMachine({ role: "agent", leaseSeconds: 600, memoryMb: 256, diskMb: 256, maxProcesses: 128 });

function providerIn(stateDir: string, clock: Clock = hostClock): SandboxProvider {
  const ids = (): string => `test-${process.pid}-${made++}`;
  return createVmProvider({ stateDir, cacheDir: vmCache, clock, ids, ownerPid: process.pid });
}

/** The QEMUs of the machines that a provider keeps in the folder. */
async function machinesIn(stateDir: string): Promise<readonly ProcessIdentity[]> {
  const ids = await readdir(join(stateDir, "vm")).catch(() => []);
  const leases = ids.map((id) => readFile(join(stateDir, "vm", id, "lease.json"), "utf8").catch(() => "{}"));
  return (await Promise.all(leases)).flatMap(
    (text) => (JSON.parse(text) as { processes?: readonly ProcessIdentity[] }).processes ?? [],
  );
}

beforeAll(async () => {
  await haveLinuxImage();
  folder = await mkdtemp(join(tmpdir(), "ale-vm-trouble-"));
  await using _first = await providerIn(join(folder, "first")).create(spec);
}, 1_200_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a virtual machine in trouble", () => {
  test("whose disk grows until the host's is full is lost, and says why", async () => {
    const stateDir = join(folder, "small");
    await mkdir(stateDir);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", stateDir]);
    try {
      const provider = providerIn(stateDir);
      await using sandbox = await provider.create(spec);
      const writing = sandbox.exec(["sh", "-c", "head -c 200000000 /dev/urandom > fill; sync; sleep 3905"]);
      await expect(writing).rejects.toMatchObject({
        code: "sandbox-gone",
        message: expect.stringContaining("the host's disk is full") as string,
      });
      await expect(sandbox.exec(["true"])).rejects.toMatchObject({
        code: "sandbox-gone",
        message: expect.stringContaining("the host's disk is full") as string,
      });
      await sandbox[Symbol.asyncDispose]();
      expect(await provider.list()).toEqual([]);
      // Not even a machine can be made where nothing can be written; nothing of it is left either.
      execFileSync("sh", ["-c", 'cat /dev/zero > "$1"/fill || true', "sh", stateDir], {
        stdio: "ignore",
      });
      await expect(provider.create(spec)).rejects.toMatchObject({ code: "sandbox-create" });
      expect(await provider.list()).toEqual([]);
    } finally {
      execFileSync("umount", [stateDir]);
    }
  });

  test("that hangs is lost, with what ran in it and its screen, and nothing of it is left", async () => {
    const stateDir = join(folder, "hung");
    const provider = providerIn(stateDir, quickClock);
    await using sandbox = await provider.create(spec);
    await using screen = await sandbox.screen?.();
    const running = await sandbox.spawn(["sh", "-c", "echo begun; sleep 3906"]);
    await once(running.stdout, "data");
    const [qemu] = await machinesIn(stateDir);
    if (qemu === undefined) return expect.fail("no process is noted");
    process.kill(qemu.pid, "SIGSTOP");
    const looking = screen?.screenshot();
    await Promise.all([
      expect(running.ended).rejects.toMatchObject({
        code: "sandbox-gone",
        message: expect.stringContaining("the guest has not answered") as string,
      }),
      expect(looking).rejects.toMatchObject({ code: "screen-gone" }),
    ]);
    await sandbox[Symbol.asyncDispose]();
    expect(await provider.list()).toEqual([]);
    expect(isAlive(qemu)).toBe(false);
  });

  test("that hangs while it is made is given up with whoever waits for it", async () => {
    const stateDir = join(folder, "unborn");
    const provider = providerIn(stateDir);
    const waiting = new AbortController();
    const making = provider.create(spec, waiting.signal);
    making.catch(() => undefined);
    let found: readonly ProcessIdentity[] = [];
    await until(hostClock, "its process is noted", async () => {
      found = await machinesIn(stateDir);
      return found.length > 0;
    });
    const [qemu] = found;
    if (qemu === undefined || identifyProcess(qemu.pid) === undefined) return expect.fail("it has ended");
    process.kill(qemu.pid, "SIGSTOP");
    waiting.abort(new Error("no time left"));
    await expect(making).rejects.toThrow("no time left");
    expect(await provider.list()).toEqual([]);
    expect(isAlive(qemu)).toBe(false);
  });

  test("is told the time, however old its snapshot is", async () => {
    const ahead = 40 * 24 * 3600 * 1000;
    const clock: Clock = { ...hostClock, now: () => hostClock.now() + ahead };
    await using sandbox = await providerIn(join(folder, "later"), clock).create(spec);
    const before = clock.now();
    const { stdout } = await sandbox.exec(["date", "+%s"]);
    const told = Number(Buffer.from(stdout).toString()) * 1000;
    expect(Math.abs(told - before)).toBeLessThan(60_000);
  });
});
