import { describe, expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createWorkingClock } from "./working-clock.ts";

describe("the working clock", () => {
  test("leaves pauses out, overlapping ones once", async () => {
    const clock = createFixedClock();
    const working = createWorkingClock(clock);
    await clock.advance(1000);
    const first = working.pause();
    await clock.advance(1000);
    const second = working.pause();
    await clock.advance(1000);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await clock.advance(1000);
    expect(working.elapsedMs()).toBe(1000);
    second[Symbol.dispose]();
    await clock.advance(500);
    expect(working.elapsedMs()).toBe(1500);
  });

  test("waits for so much working time, however long it was paused", async () => {
    const clock = createFixedClock();
    const working = createWorkingClock(clock);
    let reachedAt: number | undefined;
    void working.until(10_000, new AbortController().signal).then(() => {
      reachedAt = clock.monotonic();
    });
    await clock.advance(4000);
    const pause = working.pause();
    await clock.advance(60_000);
    pause[Symbol.dispose]();
    expect(reachedAt).toBeUndefined();
    await clock.advance(7000);
    expect(reachedAt).toBeGreaterThanOrEqual(70_000);
    expect(reachedAt).toBeLessThanOrEqual(71_000);
  });

  test("leaves out a wait that is known only when it is over, once for all that overlaps it", async () => {
    const clock = createFixedClock();
    const working = createWorkingClock(clock);
    await clock.advance(1000);
    const early = working.pause();
    await clock.advance(1000);
    early[Symbol.dispose]();
    await clock.advance(3000);
    // From 1.5 s on, of which half a second was paused before, and the last second is.
    const open = working.pause(1000);
    expect(working.elapsedMs()).toBe(3000);
    working.pause(3500)[Symbol.dispose]();
    expect(working.elapsedMs()).toBe(1000);
    await clock.advance(1000);
    open[Symbol.dispose]();
    expect(working.elapsedMs()).toBe(1000);
    working.pause(1e6)[Symbol.dispose]();
    expect(working.elapsedMs()).toBe(0);
  });
});
