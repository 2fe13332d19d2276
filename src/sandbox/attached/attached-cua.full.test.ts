import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attachedConformance, attachedSpec } from "../../../test/support/attached/attached-pair.ts";
import { attachedIn } from "../../../test/support/attached/attached-target.ts";
import { type CuaTestMachine, startCuaMachine } from "../../../test/support/attached/cua-machine.ts";
import { quickClock } from "../../../test/support/quick-clock.ts";
import { CuaServer } from "../../testing/cua-server/cua-server.ts";

const slow = "a terminal carries some hundred kilobytes a second";

const pair = attachedConformance("attached machines behind a CUA computer-server", startCuaMachine, {
  "50 MB of input and of output pass through": slow,
  "a file of 100 MB is written and read": slow,
});

describe("a machine behind a CUA computer-server", () => {
  const first = (): CuaTestMachine => pair.machines[0] as CuaTestMachine;

  test("whose terminal is cut loses the command in flight, and serves on", async () => {
    await using sandbox = await attachedIn(join(pair.folder, "a"), [first().machine]).create(attachedSpec);
    const running = await sandbox.spawn(["sh", "-c", "echo ran >> count; echo begun; sleep 3903"]);
    await once(running.stdout, "data");
    first().server.cut();
    await expect(running.ended).rejects.toMatchObject({ code: "sandbox-gone" });
    expect(Buffer.from((await sandbox.exec(["cat", "count"])).stdout).toString()).toBe("ran\n");
  });

  test("whose line falls silent without an end loses the command in flight, and serves on", async () => {
    const provider = attachedIn(join(pair.folder, "s"), [first().machine], 20_000, quickClock);
    await using sandbox = await provider.create(attachedSpec);
    const running = await sandbox.spawn(["sh", "-c", "echo ran >> count; echo begun; sleep 3904"]);
    await once(running.stdout, "data");
    first().server.pullCable();
    await expect(running.ended).rejects.toMatchObject({
      code: "sandbox-gone",
      message: expect.stringContaining("has not answered") as string,
    });
    expect(Buffer.from((await sandbox.exec(["cat", "count"])).stdout).toString()).toBe("ran\n");
  });

  test("leaves no program of ours in its files", async () => {
    await using sandbox = await attachedIn(join(pair.folder, "b"), [first().machine]).create(attachedSpec);
    expect(await sandbox.list("/tmp")).toEqual([]);
  });

  test("without the server's key, or without a server, is told so", async () => {
    const { key: _key, ...keyless } = first().machine;
    const refused = await attachedIn(join(pair.folder, "c"), [keyless]).preflight();
    expect(refused).toMatchObject([{ severity: "error", code: "machine-unreachable" }]);
    expect(refused[0]?.message).toContain("refuses the key");
    const nowhere = { ...keyless, address: "http://127.0.0.1:9" };
    expect((await attachedIn(join(pair.folder, "d"), [nowhere]).preflight())[0]?.remedy).toBe(
      "Try: curl http://127.0.0.1:9/status",
    );
  });

  test("that runs Windows is refused with another way", async () => {
    const { desktop } = first();
    await using server = await CuaServer.start({ prefix: [], desktop, system: "windows" });
    const machine = { kind: "cua", name: "win", address: server.address } as const;
    expect(await attachedIn(join(pair.folder, "e"), [machine]).preflight()).toMatchObject([
      { severity: "error", code: "machine-system" },
    ]);
  });
});
