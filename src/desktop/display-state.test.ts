import { describe, expect, test } from "vitest";
import type { CommandEnd } from "../sandbox/command.ts";
import { judgeDisplayEnd, judgeStuckDisplay } from "./display-state.ts";
import { desktopMachine } from "./test-support/desktop-machine.ts";

const isRoot = process.getuid?.() === 0;

describe("who ended a display", () => {
  const ends: readonly (readonly [CommandEnd, string, string])[] = [
    [{ kind: "exited", code: 0 }, "", "agent"],
    [{ kind: "signalled", signal: "SIGKILL" }, "", "agent"],
    [{ kind: "signalled", signal: "SIGTERM" }, "", "agent"],
    [{ kind: "signalled", signal: "SIGABRT" }, "Received signal 11 sent by process 40, uid 1000", "agent"],
    [{ kind: "signalled", signal: "SIGABRT" }, "Segmentation fault at address 0x8", "itself"],
    [{ kind: "exited", code: 1 }, "Fatal server error: out of memory", "itself"],
  ];
  test.each(ends)("%j %s: %s", (end, complaint, by) => {
    expect(judgeDisplayEnd(end, complaint)).toMatchObject({ state: "ended", by });
  });

  test.skipIf(!isRoot)(
    "an agent that kills its display is told from one whose desktop was closed",
    async () => {
      await using killed = await desktopMachine();
      expect(killed.desktop.state()).toEqual({ state: "running" });
      await killed.sandbox.exec(["pkill", "-KILL", "Xvfb"]);
      expect(await killed.desktop.ended).toMatchObject({ state: "ended", by: "agent" });
      await expect(killed.desktop.screen.screenshot()).rejects.toMatchObject({ code: "screen-gone" });

      await killed.desktop[Symbol.asyncDispose]();
      await using closed = await desktopMachine();
      await closed.desktop[Symbol.asyncDispose]();
      expect(await closed.desktop.ended).toMatchObject({ state: "ended", by: "owner" });
      expect(closed.desktop.state()).toMatchObject({ by: "owner" });
    },
  );

  test.skipIf(!isRoot)("a fatal signal that the agent sends is its doing", async () => {
    await using machine = await desktopMachine();
    await machine.sandbox.exec(["pkill", "-SEGV", "Xvfb"]);
    expect(await machine.desktop.ended).toMatchObject({ state: "ended", by: "agent" });
  });

  test("a display that answers nothing is the agent's doing only where a process has stopped or grabbed it", () => {
    expect(judgeStuckDisplay("T")).toMatchObject({ state: "stuck", by: "agent" });
    expect(judgeStuckDisplay("t")).toMatchObject({ state: "stuck", by: "agent" });
    expect(judgeStuckDisplay("S")).toMatchObject({ state: "stuck", by: "agent" });
    expect(judgeStuckDisplay("R")).toMatchObject({ state: "stuck", by: "itself" });
    expect(judgeStuckDisplay("")).toMatchObject({ state: "stuck", by: "itself" });
  });

  test.skipIf(!isRoot)("a display that the agent has stopped is told too", async () => {
    await using machine = await desktopMachine();
    await machine.sandbox.exec(["pkill", "-STOP", "Xvfb"]);
    expect(await machine.desktop.judgeStuck()).toMatchObject({ by: "agent" });
  });

  test.skipIf(!isRoot)("a desktop that cannot be made says what is missing", async () => {
    await expect(desktopMachine({ width: 20 })).rejects.toMatchObject({ code: "desktop-options" });
    await expect(desktopMachine({ node: "/nowhere/node" })).rejects.toMatchObject({
      code: "desktop-start",
      message: expect.stringContaining("there is no program /nowhere/node"),
      remedy: expect.stringContaining("Node"),
    });
  });
});
