import { describe, expect, test } from "vitest";
import { createFixedClock } from "./fixed-clock.ts";

describe("the fixed clock", () => {
  test("stands still until it is moved, then wakes sleepers in the order they are due", async () => {
    const clock = createFixedClock(1000);
    const woken: string[] = [];
    void clock.sleep(30).then(() => woken.push(`late at ${clock.now()}`));
    void clock.sleep(10).then(async () => {
      woken.push(`early at ${clock.now()}`);
      await clock.sleep(5);
      woken.push(`again at ${clock.now()}`);
    });
    expect([clock.now(), clock.monotonic(), clock.sleeping]).toEqual([1000, 0, 2]);
    await clock.advance(100);
    expect(woken).toEqual(["early at 1010", "again at 1015", "late at 1030"]);
    expect(clock.now()).toBe(1100);
  });

  test("rejects a sleep with the reason of its signal, and forgets it", async () => {
    const clock = createFixedClock();
    const stop = new AbortController();
    const sleeping = clock.sleep(10, stop.signal);
    stop.abort(new RangeError("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(clock.sleep(10, stop.signal)).rejects.toThrow("enough");
    expect(clock.sleeping).toBe(0);
  });

  test("says when so many are sleeping", async () => {
    const clock = createFixedClock();
    const two = clock.untilSleeping(2);
    void clock.sleep(1);
    void clock.sleep(2);
    await two;
  });
});
