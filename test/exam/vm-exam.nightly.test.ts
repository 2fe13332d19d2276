import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { known, unknown } from "../../src/contract/absence.ts";
import type { Harness, HarnessOutcome, HarnessSession } from "../../src/harness/harness.ts";
import { createLocalProvider } from "../../src/sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { createVmProvider } from "../../src/sandbox/vm/vm-provider.ts";
import { sitFixture, sumScript } from "../support/provider-exam.ts";
import { haveLinuxImage, vmCache } from "../support/vm/vm-image.ts";

let dir: string;
let provider: SandboxProvider;

beforeAll(async () => {
  await haveLinuxImage();
  dir = await mkdtemp(join(tmpdir(), "ale-vm-exam-"));
  const common = { clock: createSystemClock(), ids: randomUUID, ownerPid: process.pid };
  const trusted = createLocalProvider({ ...common, stateDir: join(dir, "local") });
  provider = createVmProvider({ ...common, stateDir: join(dir, "state"), cacheDir: vmCache, trusted });
}, 900_000);

afterAll(async () => {
  await provider.reap({ force: true });
  await rm(dir, { recursive: true, force: true });
});

const nothingPaid = {
  usage: unknown("no model"),
  costUsd: unknown("no model"),
  claim: unknown("it says nothing"),
} as const;

function harnessOf(name: string, act: (session: HarnessSession) => Promise<HarnessOutcome>): Harness {
  return {
    name,
    summary: name,
    version: async () => "0",
    preflight: async () => [],
    needs: async () => ({ mounts: [], env: {} }),
    launch: act,
  };
}

/** Opens a terminal on the machine's own screen and types the work into it, as somebody sitting there would. */
async function workAtScreen({ sandbox, screen }: HarnessSession): Promise<HarnessOutcome> {
  if (screen === undefined) return { kind: "agent-error", reason: "there is no screen", ...nothingPaid };
  const before = await screen.screenshot();
  await sandbox.spawn(["xterm", "-geometry", "100x30+50+50"]);
  while (!(await screen.windows()).some((window) => window.program.toLowerCase() === "xterm"));
  await screen.quiet({ quietMs: 1500, limitMs: 60_000 });
  await screen.move({ x: 200, y: 200 });
  await screen.button("left", "down");
  await screen.button("left", "up");
  await screen.type(`${sumScript}\n`);
  await screen.quiet({ quietMs: 1500, limitMs: 60_000 });
  const [window] = (await screen.windows()).slice(-1);
  const changed = (await screen.screenshot()).revision !== before.revision;
  if (!changed || window?.program.toLowerCase() !== "xterm") {
    return { kind: "agent-error", reason: `the screen shows ${JSON.stringify(window)}`, ...nothingPaid };
  }
  return { kind: "completed", ...nothingPaid };
}

const passed = { status: "completed", reason: "", score: known(1), fullPass: known(true) };

describe("a contestant in a virtual machine", () => {
  test("passes the task from a snapshot, twice", async () => {
    const contestant = { harness: "command", settings: { argv: ["sh", "-c", sumScript] } };
    const exam = { repeats: 2 };
    const results = await sitFixture({ dir: join(dir, "shell"), provider, contestant, exam });
    expect(results).toMatchObject([passed, passed]);
    expect(await provider.list()).toEqual([]);
  }, 900_000);

  test("passes the task at the machine's own screen", async () => {
    const harnesses = [harnessOf("at-screen", workAtScreen)];
    const contestant = { harness: "at-screen" };
    const atScreen = { atScreen: true, wallMinutes: 20 };
    const results = await sitFixture({
      ...{ dir: join(dir, "screen"), provider, contestant, harnesses, ...atScreen },
    });
    expect(results).toMatchObject([passed]);
  }, 600_000);

  test("whose QEMU is killed mid-trial is sat again, and passes", async () => {
    let attempts = 0;
    const act = async ({ sandbox }: HarnessSession): Promise<HarnessOutcome> => {
      if (attempts++ === 0) await killMachines();
      try {
        await sandbox.exec(["sh", "-c", sumScript]);
        return { kind: "completed", ...nothingPaid };
      } catch (error) {
        return { kind: "env-error", reason: (error as Error).message, ...nothingPaid };
      }
    };
    const results = await sitFixture({
      dir: join(dir, "killed"),
      provider,
      contestant: { harness: "unlucky" },
      harnesses: [harnessOf("unlucky", act)],
      exam: { retry: { attempts: 2, backoff_seconds: 0 } },
    });
    expect(results).toMatchObject([{ status: "env_error" }, passed]);
    expect(results[0]?.reason).toMatch(/link to the machine is lost|has ended/);
    expect(await provider.list()).toEqual([]);
  }, 600_000);
});

/** Ends the QEMU of every machine that runs here, as the kernel does when memory is short. */
async function killMachines(): Promise<void> {
  const folder = join(dir, "state", "vm");
  for (const id of await readdir(folder)) {
    const lease = JSON.parse(await readFile(join(folder, id, "lease.json"), "utf8")) as {
      processes: readonly { pid: number }[];
    };
    for (const { pid } of lease.processes) process.kill(pid, "SIGKILL");
  }
}
