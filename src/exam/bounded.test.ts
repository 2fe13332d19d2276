import { describe, expect, test } from "vitest";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { bounded } from "./bounded.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("bounded", () => {
  test("hands back what the work returned or threw, and leaves no sleeper behind", async () => {
    const clock = createFixedClock();
    const options = { clock, limitMs: 1000, graceMs: 100, cancel: new AbortController().signal };
    expect(await bounded(options, async () => 7)).toEqual({
      by: "itself",
      work: { kind: "returned", value: 7 },
    });
    const error = new RangeError("no");
    expect(await bounded(options, () => Promise.reject(error))).toEqual({
      by: "itself",
      work: { kind: "threw", error },
    });
    expect(clock.sleeping).toBe(0);
  });

  test("aborts the work at the limit, and takes what it returns within the grace", async () => {
    const clock = createFixedClock();
    const cancel = new AbortController().signal;
    const ending = bounded(
      { clock, limitMs: 1000, graceMs: 100, cancel },
      (signal) => new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    );
    await clock.untilSleeping(1);
    await clock.advance(1000);
    expect(await ending).toEqual({ by: "limit", work: { kind: "returned", value: "late" } });
  });

  test("goes on without work that ignores its signal", async () => {
    const clock = createFixedClock();
    const cancel = new AbortController();
    const begun = Promise.withResolvers<void>();
    const options = { clock, limitMs: undefined, graceMs: 100, cancel: cancel.signal };
    const ending = bounded(options, () => {
      begun.resolve();
      return never();
    });
    await begun.promise;
    cancel.abort();
    await clock.untilSleeping(1);
    await clock.advance(100);
    expect(await ending).toEqual({ by: "cancel", work: { kind: "lost" } });
  });

  test("never begins work that is cancelled already", async () => {
    const clock = createFixedClock();
    let begun = false;
    const end = await bounded({ clock, limitMs: 1, graceMs: 100, cancel: AbortSignal.abort() }, async () => {
      begun = true;
    });
    expect([end.by, begun]).toEqual(["cancel", false]);
  });
});
