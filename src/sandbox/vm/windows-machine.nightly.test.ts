import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { windowsInWine } from "../../../test/support/vm/windows-in-wine.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import type { SandboxProvider } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { createVmProvider } from "./vm-provider.ts";

let dir = "";
let provider: SandboxProvider;
let sandbox: Sandbox;
let made = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-windows-"));
  provider = createVmProvider({
    ...(await windowsInWine(dir)),
    ...{ stateDir: join(dir, "state"), clock: hostClock, ownerPid: process.pid },
    ids: () => `test-${made++}`,
  });
  const mounts = [{ source: join(import.meta.dirname, "vm-options.ts"), target: "/ale/task/options.ts" }];
  const limits = { memoryMb: 512, diskMb: 64, maxProcesses: 64 };
  sandbox = await provider.create(testMachine({ os: "windows", role: "agent", mounts, ...limits }));
}, 600_000);

afterAll(async () => {
  await sandbox?.[Symbol.asyncDispose]();
  await provider?.reap({ force: true });
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

describe("a machine that runs Windows", () => {
  test("says so, and what it is, as plain data", async () => {
    expect(sandbox.os).toBe("windows");
    const fingerprint = await sandbox.fingerprint();
    expect(fingerprint).toMatchObject({ provider: "vm", image: "windows", os: "windows" });
    // What its desktop starts for the agent is not in the job that has the limits.
    const loose = { enforced: false };
    expect(fingerprint).toMatchObject({ limits: { cpus: loose, memoryMb: loose, maxProcesses: loose } });
  });

  test("is shown the host's files as copies", async () => {
    const copy = Buffer.from(await sandbox.readFile("/ale/task/options.ts")).toString("utf8");
    expect(copy).toContain("VmProviderOptions");
  });

  test("keeps text of any script on its clipboard, and tells of its windows", async () => {
    const screen = await sandbox.screen?.();
    await screen?.writeClipboard("grüße 漢 😀\nzwei");
    expect(await screen?.readClipboard()).toBe("grüße 漢 😀\nzwei");
    expect(await screen?.windows()).toEqual([]);
    await expect(screen?.focus("1")).rejects.toMatchObject({ code: "screen-window" });
    expect(screen?.isBare).toBeUndefined();
  });

  test("has its network card while a trusted command uses the host's, and no longer", async () => {
    const { end } = await sandbox.exec(["cmd", "/c", "exit 0"], { user: "root", network: "host" });
    expect(end).toEqual({ kind: "exited", code: 0 });
  });

  test("whose guest has ended is gone, and says so", async () => {
    const other = await provider.create(testMachine({ os: "windows", role: "agent", diskMb: 64 }));
    await using _other = other;
    await provider.reap({ force: true });
    await expect(other.exec(["cmd", "/c", "exit 0"])).rejects.toMatchObject({ code: "sandbox-gone" });
  }, 120_000);
});
