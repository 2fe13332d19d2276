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
});
