import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../contract/random.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { askedDelayMs, isPassing, retryDelayMs } from "./retry-delay.ts";
import { isSameModel } from "./same-model.ts";
import { createSpacer } from "./spacer.ts";

const never = new AbortController().signal;
const noWait = (): Disposable => ({ [Symbol.dispose]: () => undefined });

describe("the spacer", () => {
  test("spaces requests evenly, in order of arrival", async () => {
    const clock = createFixedClock();
    const spacer = createSpacer({ requests_per_minute: 60 }, clock);
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map(async (number) => {
      await spacer.acquire(never, noWait);
      begun[number] = clock.monotonic();
    });
    await clock.advance(10_000);
    await Promise.all(all);
    expect(begun).toEqual([0, 1000, 2000, 3000]);
  });

  test("spaces requests by minutes when less than one a minute is allowed, waiting for each", async () => {
    const clock = createFixedClock();
    const spacer = createSpacer({ requests_per_minute: 0.5 }, clock);
    const begun: number[] = [];
    const waited: number[] = [];
    const all = [0, 1, 2].map(async (number) => {
      let from: number | undefined;
      await spacer.acquire(never, () => {
        from = clock.monotonic();
        return {
          [Symbol.dispose]() {
            waited[number] = clock.monotonic() - (from ?? 0);
          },
        };
      });
      begun[number] = clock.monotonic();
    });
    await clock.advance(239_999);
    expect(begun).toEqual([0, 120_000]);
    await clock.advance(1);
    await Promise.all(all);
    expect(begun).toEqual([0, 120_000, 240_000]);
    expect(waited).toEqual([undefined, 120_000, 240_000]);
    // A pause saves nothing up: the next one is spaced from the last that was sent.
    await clock.advance(600_000);
    await spacer.acquire(never, noWait);
    const next = spacer.acquire(never, noWait).then(() => clock.monotonic());
    await clock.advance(120_000);
    expect(await next).toBe(960_000);
  });

  test("keeps so many in flight and no more, and lets the next in when one ends", async () => {
    const clock = createFixedClock();
    const spacer = createSpacer({ parallel: 2 }, clock);
    const slots = [await spacer.acquire(never, noWait), await spacer.acquire(never, noWait)];
    let third = false;
    const waiting = spacer.acquire(never, noWait).then((slot) => {
      third = true;
      return slot;
    });
    await clock.advance(1000);
    expect(third).toBe(false);
    slots[0]?.[Symbol.dispose]();
    await waiting;
    expect(third).toBe(true);
  });

  test("lets a minute's tokens be spent at once, then waits until they are paid off", async () => {
    const clock = createFixedClock();
    const spacer = createSpacer({ tokens_per_minute: 6000 }, clock);
    await clock.advance(120_000);
    spacer.charge(6000);
    (await spacer.acquire(never, noWait))[Symbol.dispose]();
    expect(clock.monotonic()).toBe(120_000);
    spacer.charge(1000);
    const next = spacer.acquire(never, noWait);
    await clock.advance(9999);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    await next;
  });

  test("a waiting request that is given up does not hold up those behind it, nor lets them past", async () => {
    const clock = createFixedClock();
    const spacer = createSpacer({}, clock);
    spacer.hold(5000);
    const leaving = new AbortController();
    const first = spacer.acquire(never, noWait).then(() => clock.monotonic());
    const second = spacer.acquire(leaving.signal, noWait);
    const third = spacer.acquire(never, noWait).then(() => clock.monotonic());
    leaving.abort(new DOMException("left", "AbortError"));
    await expect(second).rejects.toThrow("left");
    await clock.advance(5000);
    expect([await first, await third]).toEqual([5000, 5000]);
  });
});

describe("retries", () => {
  test("wait longer each time, within the policy, and never shorter than the server asks", () => {
    const policy = { attempts: 8, base_seconds: 1, max_seconds: 60 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.option(fc.nat(1e6)),
        fc.string(),
        (failures, asked, seed) => {
          const delay = retryDelayMs(failures, policy, asked ?? undefined, createRandom(seed));
          const bound = Math.min(60_000, 1000 * 2 ** (failures - 1));
          expect(delay).toBeGreaterThanOrEqual(Math.max(bound / 2, asked ?? 0));
          expect(delay).toBeLessThanOrEqual(Math.max(bound, (asked ?? 0) * 1.1));
        },
      ),
    );
  });

  test("read what the server asks for, in milliseconds, in seconds or as a date", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(askedDelayMs({ "retry-after-ms": "250", "retry-after": "9" }, now)).toBe(250);
    expect(askedDelayMs({ "retry-after": "1.5" }, now)).toBe(1500);
    expect(askedDelayMs({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, now)).toBe(30_000);
    expect(askedDelayMs({ "retry-after": "soon" }, now)).toBeUndefined();
    expect(askedDelayMs({}, now)).toBeUndefined();
  });

  test("are for failures that pass: not for a used-up account, nor for what the request itself has wrong", () => {
    expect([429, 500, 503, 529].filter((status) => isPassing(status, ""))).toHaveLength(4);
    expect(isPassing(429, '{"error":{"code":"insufficient_quota"}}')).toBe(false);
    expect([400, 401, 404, 413, 422].filter((status) => isPassing(status, ""))).toEqual([]);
  });
});

test("a model is the same under its dated name, and another one under a longer name", () => {
  expect(isSameModel("gpt-5.4", "gpt-5.4-2026-03-05")).toBe(true);
  expect(isSameModel("claude-sonnet-4-5", "claude-sonnet-4-5-20250929")).toBe(true);
  expect(isSameModel("claude-sonnet-latest", "claude-sonnet-4-5")).toBe(true);
  expect(isSameModel("openrouter/vendor/model", "model")).toBe(true);
  expect(isSameModel("gpt-5.4", "gpt-5.4-mini")).toBe(false);
  expect(isSameModel("gpt-5.4", "gpt-5")).toBe(false);
  expect(isSameModel("big", "small", ["small"])).toBe(true);
});
