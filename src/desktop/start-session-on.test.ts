import { expect, test } from "vitest";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { hangProgram, type MemoryProgram } from "../testing/memory-sandbox/memory-program.ts";
import { MemorySandboxProvider } from "../testing/memory-sandbox/memory-sandbox-provider.ts";
import { MemoryScreen } from "../testing/memory-screen.ts";
import { startSessionOn } from "./start-session-on.ts";

const limitMs = 60_000;

/** A session that is being started, with this window manager, on a screen that none has taken yet. */
async function starting(openbox: MemoryProgram, found: string = "/bin/openbox\n/bin/tint2\n") {
  const clock = createFixedClock();
  const fine: MemoryProgram = () => undefined;
  const provider = new MemorySandboxProvider({
    clock,
    programs: {
      ...{ openbox, which: () => ({ stdout: found }) },
      ...{ tar: fine, sh: fine, tee: fine, "dbus-daemon": fine, xdotool: fine },
    },
  });
  const sandbox = await provider.create({
    labels: { run: "r", trial: "t", attempt: 1, role: "agent" },
    leaseSeconds: 600,
    ...{ cpus: 1, memoryMb: 256, diskMb: 256, maxProcesses: 64 },
    ...{ network: "off", mounts: [], env: {} },
  });
  const spawn = sandbox.spawn.bind(sandbox);
  sandbox.spawn = async (...given) => {
    const running = await spawn(...given);
    // A program of such a machine begins when its input has ended.
    running.stdin.end();
    return running;
  };
  const screen = new MemoryScreen();
  screen.failure = "screen-gone";
  const display = { DISPLAY: ":0" };
  const session = startSessionOn(screen, sandbox, { display, accessibility: false, limitMs, clock });
  session.catch(() => undefined);
  return { clock, screen, session };
}

test("a session is there as soon as a window manager has the screen", async () => {
  const { clock, screen, session } = await starting(hangProgram);
  await clock.untilSleeping(1);
  screen.failure = undefined;
  await clock.advance(1000);
  expect((await session).env).toMatchObject({ DISPLAY: ":0" });
});

test("a window manager that never takes the screen is given up at the limit", async () => {
  const { clock, session } = await starting(hangProgram);
  await clock.untilSleeping(1);
  await clock.advance(limitMs + 1000);
  await expect(session).rejects.toMatchObject({ code: "desktop-start", cause: { code: "screen-gone" } });
});

test("a window manager that ends is not waited for, and its screen asked no more", async () => {
  const { clock, session } = await starting(() => ({ exit: 1 }));
  await expect(session).rejects.toMatchObject({
    code: "desktop-start",
    cause: { message: "openbox ended: exit 1" },
  });
  expect(clock.sleeping).toBe(0);
});

test("programs that the session lacks are named, with their packages", async () => {
  const { session } = await starting(hangProgram, "/bin/openbox\n");
  await expect(session).rejects.toMatchObject({
    message: expect.stringContaining("tint2"),
    remedy: "Install the packages openbox, tint2, xterm on it.",
  });
});
