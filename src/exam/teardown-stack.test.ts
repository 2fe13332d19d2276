import { describe, expect, test } from "vitest";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { TeardownStack } from "./teardown-stack.ts";

describe("TeardownStack", () => {
  test("undoes in reverse, each exactly once, whatever fails on the way", async () => {
    const order: string[] = [];
    const stack = new TeardownStack(createFixedClock(), 1000);
    stack.add("first", async () => void order.push("first"));
    const early = stack.add("second", async () => void order.push("second"));
    stack.add("third", async () => {
      order.push("third");
      throw new RangeError("stuck");
    });
    await early();
    await early();
    expect(await stack.unwind()).toEqual([{ what: "third", message: "stuck" }]);
    expect(await stack.unwind()).toEqual([]);
    expect(order).toEqual(["second", "third", "first"]);
  });

  test("starts every teardown even when one hangs, and gives up at its deadline", async () => {
    const clock = createFixedClock();
    const stack = new TeardownStack(clock, 5000);
    let undone = false;
    stack.add("first", async () => {
      undone = true;
    });
    stack.add("hangs", () => new Promise(() => undefined));
    const unwinding = stack.unwind();
    await clock.untilSleeping(1);
    await clock.advance(5000);
    expect(await unwinding).toContainEqual({ what: "hangs", message: "not torn down within 5 s" });
    expect(undone).toBe(true);
  });

  test("disposes of a thing that is made only after the unwind has given up on it", async () => {
    const clock = createFixedClock();
    const stack = new TeardownStack(clock, 1000);
    const making = Promise.withResolvers<AsyncDisposable>();
    const acquiring = stack.acquire("late", () => making.promise);
    const unwinding = stack.unwind();
    await clock.untilSleeping(1);
    await clock.advance(1000);
    expect(await unwinding).toHaveLength(1);
    const disposed = Promise.withResolvers<void>();
    making.resolve({ [Symbol.asyncDispose]: async () => disposed.resolve() });
    await disposed.promise;
    await acquiring;
  });
});
