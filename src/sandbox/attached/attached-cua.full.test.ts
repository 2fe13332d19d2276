import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attachedSkips } from "../../../test/support/attached/attached-skips.ts";
import { attachedIn, attachedTarget } from "../../../test/support/attached/attached-target.ts";
import { type CuaTestMachine, startCuaMachine } from "../../../test/support/attached/cua-machine.ts";
import { CuaServer } from "../../testing/cua-server/cua-server.ts";
import type { ConformanceTarget } from "../conformance/conformance-case.ts";
import { sandboxConformance } from "../conformance/sandbox-conformance.ts";
import type { SandboxSpec } from "../provider.ts";

let folder = "";
let target: ConformanceTarget;
let machines: readonly CuaTestMachine[] = [];

const spec: SandboxSpec = {
  labels: { run: "attached", trial: "trial", attempt: 1, role: "agent" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 256,
  diskMb: 64,
  maxProcesses: 100,
  network: "off",
  mounts: [],
  env: {},
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-cua-"));
  machines = [await startCuaMachine("one"), await startCuaMachine("two")];
  target = await attachedTarget(
    folder,
    machines.map((one) => one.machine),
  );
}, 60_000);

afterAll(async () => {
  await target.provider.reap({ force: true });
  for (const machine of machines) await machine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const slow = "a terminal carries some hundred kilobytes a second";

sandboxConformance("attached machines behind a CUA computer-server", () => target, {
  skips: {
    ...attachedSkips,
    "50 MB of input and of output pass through": slow,
    "a file of 100 MB is written and read": slow,
  },
});

describe("a machine behind a CUA computer-server", () => {
  const first = (): CuaTestMachine => machines[0] as CuaTestMachine;

  test("whose terminal is cut loses the command in flight, and serves on", async () => {
    await using sandbox = await attachedIn(join(folder, "a"), [first().machine]).create(spec);
    const running = await sandbox.spawn(["sh", "-c", "echo ran >> count; echo begun; sleep 3903"]);
    await once(running.stdout, "data");
    first().server.cut();
    await expect(running.ended).rejects.toMatchObject({ code: "sandbox-gone" });
    expect(Buffer.from((await sandbox.exec(["cat", "count"])).stdout).toString()).toBe("ran\n");
  });

  test("leaves no program of ours in its files", async () => {
    await using sandbox = await attachedIn(join(folder, "b"), [first().machine]).create(spec);
    expect(await sandbox.list("/tmp")).toEqual([]);
  });

  test("without the server's key, or without a server, is told so", async () => {
    const { key: _key, ...keyless } = first().machine;
    const refused = await attachedIn(join(folder, "c"), [keyless]).preflight();
    expect(refused).toMatchObject([{ severity: "error", code: "machine-unreachable" }]);
    expect(refused[0]?.message).toContain("refuses the key");
    const nowhere = { ...keyless, address: "http://127.0.0.1:9" };
    expect((await attachedIn(join(folder, "d"), [nowhere]).preflight())[0]?.remedy).toBe(
      "Try: curl http://127.0.0.1:9/status",
    );
  });

  test("that runs Windows is refused with another way", async () => {
    const { desktop } = first();
    await using server = await CuaServer.start({ prefix: [], desktop, system: "windows" });
    const machine = { kind: "cua", name: "win", address: server.address } as const;
    expect(await attachedIn(join(folder, "e"), [machine]).preflight()).toMatchObject([
      { severity: "error", code: "machine-system" },
    ]);
  });
});
