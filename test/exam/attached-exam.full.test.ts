import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { known } from "../../src/contract/absence.ts";
import type { AttachedMachine } from "../../src/sandbox/attached/attached-machine.ts";
import { createAttachedProvider } from "../../src/sandbox/attached/attached-provider.ts";
import { createLocalProvider } from "../../src/sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { startCuaMachine } from "../support/attached/cua-machine.ts";
import { startSshMachine } from "../support/attached/ssh-machine.ts";
import { sitFixture, sumScript } from "../support/provider-exam.ts";

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-attached-exam-"));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/** Graders and generators stay on this host, away from the one machine. */
function providerOf(name: string, machine: AttachedMachine): SandboxProvider {
  const common = { clock: createSystemClock(), ids: randomUUID, ownerPid: process.pid };
  const trusted = createLocalProvider({ ...common, stateDir: join(dir, name, "local") });
  return createAttachedProvider({
    ...common,
    machines: () => [machine],
    machinesFiles: [],
    stateDir: join(dir, name),
    trusted,
  });
}

const contestant = { harness: "command", settings: { argv: ["sh", "-c", sumScript] } };
const passed = { status: "completed", reason: "", score: known(1), fullPass: known(true) };

describe("a scripted contestant on a machine that already runs", () => {
  test("passes the task over SSH, twice on one machine", async () => {
    await using ssh = await startSshMachine("one");
    const provider = providerOf("ssh", ssh.machine);
    const exam = { repeats: 2 };
    const results = await sitFixture({ dir: join(dir, "exam-ssh"), provider, contestant, exam });
    expect(results).toMatchObject([passed, passed]);
    expect(await provider.list()).toEqual([]);
  });

  test("passes the task behind a CUA computer-server", async () => {
    await using cua = await startCuaMachine("one");
    const provider = providerOf("cua", cua.machine);
    expect(await sitFixture({ dir: join(dir, "exam-cua"), provider, contestant })).toMatchObject([passed]);
    expect(await provider.list()).toEqual([]);
  });
});
