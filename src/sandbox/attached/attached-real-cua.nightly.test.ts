import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attachedConformance, attachedSpec } from "../../../test/support/attached/attached-pair.ts";
import { attachedIn } from "../../../test/support/attached/attached-target.ts";
import { startRealCuaMachine } from "../../../test/support/attached/real-cua-machine.ts";

/** Python with the real server, which comes from no registry that set-up uses: CONTRIBUTING.md says how to get it. */
const python = process.env["ALE_CUA_PYTHON"] ?? "";

describe.skipIf(python === "")("the real computer-server", () => {
  const slow = "a terminal carries some hundred kilobytes a second";
  const pair = attachedConformance(
    "attached machines behind the real CUA computer-server",
    (name) => startRealCuaMachine(name, python),
    {
      "50 MB of input and of output pass through": slow,
      "a file of 100 MB is written and read": slow,
      "orphans are collected when they end":
        "the server does not collect the programs of its closed terminals",
    },
  );

  test("shows its screen, which is worked at", async () => {
    const [first] = pair.machines;
    if (first === undefined) throw new RangeError("there are two machines");
    await using sandbox = await attachedIn(join(pair.folder, "a"), [first.machine]).create(attachedSpec);
    const screen = await sandbox.screen?.();
    if (screen === undefined) throw new RangeError("it has a screen");
    const env = screen.env ?? {};
    const terminal = await sandbox.spawn(["xterm", "-T", "work"], { env });
    await expect
      .poll(async () => (await screen.windows()).map(({ title }) => title), { timeout: 20_000 })
      .toContain("work");
    const [window] = (await screen.windows()).filter(({ title }) => title === "work");
    await screen.focus(window?.id ?? "");
    await screen.type("echo typed > /home/agent/output/typed\n");
    await expect
      .poll(async () => (await sandbox.exec(["cat", "/home/agent/output/typed"])).stdout.toString(), {
        timeout: 20_000,
      })
      .not.toBe("");
    expect(Buffer.from(await sandbox.readFile("/home/agent/output/typed")).toString()).toBe("typed\n");
    await screen.move({ x: 300, y: 200 });
    expect(await screen.cursor()).toEqual({ x: 300, y: 200 });
    await screen.writeClipboard("a ü 漢 🙂");
    expect(await screen.readClipboard()).toBe("a ü 漢 🙂");
    const { width, height } = await screen.screenshot();
    expect([width, height]).toEqual([1024, 768]);
    await terminal.stop();
  });
});
