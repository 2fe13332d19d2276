import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectTornDown, harnessOf, quiet, sit, type TrialOutcome } from "../../../test/support/trial-rig.ts";
import type { LastScreen } from "../../contract/last-screen.ts";
import type { HarnessSession } from "../../harness/harness.ts";
import { frameFromPicture } from "../../sandbox/frame/rgb-frame.ts";
import { MemoryScreen } from "../../testing/memory-screen.ts";

/** Beyond two looks in vain, wherever the watch stands. */
const soonMs = 40_000;

/** A trial at a screen that something befalls while the agent waits for its end. */
async function atScreen(
  screen: MemoryScreen,
  befall: (trial: { advance(ms: number): Promise<void>; finish(): void }) => Promise<void>,
): Promise<TrialOutcome & AsyncDisposable> {
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const harness = harnessOf(async ({ sandbox, signal }: HarnessSession) => {
    await sandbox.writeFile("/home/agent/output/total.txt", "42");
    started.resolve();
    signal.addEventListener("abort", () => finished.resolve(), { once: true });
    await finished.promise;
    return { kind: "completed", ...quiet };
  });
  return sit(
    {
      exam: { contestants: [{ harness: "scripted" }] },
      harnesses: [harness],
      screen,
      task: { manifest: { interface: ["desktop"], limits: { wall_minutes: 10 } } },
    },
    async ({ clock }) => {
      await started.promise;
      await befall({ advance: (ms) => clock.advance(ms), finish: () => finished.resolve() });
    },
  );
}

/** The shade of the picture that stands in the record. */
async function shadeOf({ rig, result }: TrialOutcome): Promise<number> {
  const { path }: LastScreen = result.lastScreen ?? expect.fail("no picture in the result");
  const [attempt] = await rig.run.attempts();
  const frame = await frameFromPicture(await readFile(join(attempt?.dir ?? "", path)));
  return frame.pixels[0] ?? -1;
}

/** Waits in real turns for what goes on beside the clock, such as the encoding of a picture. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => setImmediate(resolve));
}

describe("a screen that fails under the agent", () => {
  test("by locking up ends its work as an environment's error, what it showed last kept as evidence", async () => {
    const screen = new MemoryScreen();
    screen.shade = 64;
    await using outcome = await atScreen(screen, async ({ advance }) => {
      screen.failure = "screen-stuck";
      screen.shade = 255;
      const { looks } = screen;
      await advance(soonMs / 2);
      await until(() => screen.looks > looks);
      await advance(soonMs / 2);
    });
    const { status, reason, failedPhase, score } = outcome.result;
    expect({ status, failedPhase }).toEqual({ status: "env_error", failedPhase: "agent" });
    expect(reason).toContain("screen-stuck");
    expect(score.known).toBe(false);
    expect(await shadeOf(outcome)).toBe(64);
    expect(outcome.events.map((event) => (event.type === "note" ? event.code : ""))).toContain(
      "screen-stuck",
    );
    await expectTornDown(outcome);
  });

  test("at its very end is still told, though the harness says that it is done", async () => {
    const screen = new MemoryScreen();
    await using outcome = await atScreen(screen, async ({ finish }) => {
      screen.failure = "screen-gone";
      finish();
    });
    expect(outcome.result).toMatchObject({ status: "env_error", lastScreen: { width: 320, height: 200 } });
  });

  test("for a moment only takes nothing from the attempt", async () => {
    const screen = new MemoryScreen();
    await using outcome = await atScreen(screen, async ({ advance, finish }) => {
      const { looks } = screen;
      screen.failure = "screen-stuck";
      await advance(15_000);
      await until(() => screen.looks > looks);
      screen.failure = undefined;
      screen.shade = 128;
      await advance(soonMs);
      finish();
    });
    expect(outcome.result).toMatchObject({ status: "completed", score: { known: true, value: 1 } });
    expect(await shadeOf(outcome)).toBe(128);
  });

  test("before the agent came is an environment's error without a picture", async () => {
    const screen = new MemoryScreen();
    screen.failure = "screen-gone";
    await using outcome = await sit({
      exam: { contestants: [{ harness: "scripted" }] },
      harnesses: [harnessOf(async () => ({ kind: "completed", ...quiet }))],
      screen,
      task: { manifest: { interface: ["desktop"] } },
    });
    expect(outcome.result.status).toBe("env_error");
    expect(outcome.result.lastScreen).toBeUndefined();
  });
});
