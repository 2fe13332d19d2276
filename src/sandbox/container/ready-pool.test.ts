import { expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { ReadyPool } from "./ready-pool.ts";

interface Thing {
  readonly name: string;
  gone: boolean;
  readonly until: number;
}

function workshop(size: number) {
  const clock = createFixedClock();
  const discarded: string[] = [];
  const made: string[] = [];
  const pool = new ReadyPool<Thing>({
    size,
    clock,
    until: (thing) => thing.until,
    isGone: (thing) => thing.gone,
    discard: async (thing) => void discarded.push(thing.name),
  });
  const keep = (kind: string): Promise<void> =>
    pool.keep(kind, async () => {
      const name = `${kind}${made.length}`;
      made.push(name);
      return { name, gone: false, until: clock.now() + 900_000 };
    });
  return { clock, pool, keep, made, discarded };
}

test("one of each kind stands ready, and is given away once", async () => {
  const { pool, keep, made } = workshop(4);
  await keep("a");
  await keep("a");
  await keep("b");
  expect(made).toEqual(["a0", "b1"]);
  expect(pool.take("a")?.name).toBe("a0");
  expect(pool.take("a")).toBeUndefined();
  expect(pool.take("b")?.name).toBe("b1");
  expect(pool.take("c")).toBeUndefined();
});

test("one that is taken is made again", async () => {
  const { pool, keep } = workshop(4);
  await keep("a");
  pool.take("a");
  await keep("a");
  expect(pool.take("a")?.name).toBe("a1");
});

test("a kind asked for once takes a free place, and from the second time on the place not asked for longest", async () => {
  const { pool, keep, made, discarded } = workshop(2);
  await keep("a");
  await keep("b");
  await keep("c");
  expect([made, discarded]).toEqual([["a0", "b1"], []]);
  pool.take("a");
  await keep("a");
  await keep("c");
  expect(discarded).toEqual(["b1"]);
  expect(pool.take("c")?.name).toBe("c3");
  expect(pool.take("a")?.name).toBe("a2");
});

test("one that has ended, or whose lease is out, is not given away but discarded", async () => {
  const { clock, pool, keep, discarded } = workshop(4);
  const dead: Thing = { name: "dead", gone: false, until: clock.now() + 900_000 };
  await pool.keep("a", async () => dead);
  dead.gone = true;
  expect(pool.take("a")).toBeUndefined();
  await keep("b");
  await clock.advance(899_999);
  expect(discarded).toEqual(["dead"]);
  await clock.advance(1);
  expect(discarded).toEqual(["dead", "b0"]);
  expect(pool.take("b")).toBeUndefined();
});

test("one that cannot be made is nobody's trouble, and tried again when it is asked for again", async () => {
  const { pool, keep } = workshop(4);
  await pool.keep("a", () => Promise.reject(new Error("no room")));
  expect(pool.take("a")).toBeUndefined();
  await keep("a");
  expect(pool.take("a")?.name).toBe("a0");
});

test("one that is let go of while it is made is aborted, and discarded when it is made all the same", async () => {
  const { pool, keep, discarded } = workshop(1);
  await keep("b");
  pool.take("b");
  const made = Promise.withResolvers<Thing>();
  let aborted = false;
  const making = pool.keep("a", (signal) => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return made.promise;
  });
  expect(pool.take("a")).toBeUndefined();
  await keep("b");
  expect(aborted).toBe(true);
  made.resolve({ name: "late", gone: false, until: Number.POSITIVE_INFINITY });
  await making;
  expect(discarded).toEqual(["late"]);
  expect(pool.take("b")?.name).toBe("b1");
});

test("disposed of, it discards what stands ready and makes no more", async () => {
  const { pool, keep, made, discarded } = workshop(4);
  await keep("a");
  await keep("b");
  await pool[Symbol.asyncDispose]();
  expect(discarded).toEqual(["a0", "b1"]);
  await keep("a");
  expect(made).toEqual(["a0", "b1"]);
});

test("disposed of while one cannot be ended, it waits ten seconds and no longer", async () => {
  const clock = createFixedClock();
  const never = new Promise<void>(() => undefined);
  const pool = new ReadyPool<string>({
    size: 1,
    clock,
    until: () => clock.now() + 900_000,
    isGone: () => false,
    discard: () => never,
  });
  await pool.keep("a", async () => "stuck");
  const disposing = pool[Symbol.asyncDispose]();
  await clock.untilSleeping(1);
  await clock.advance(10_000);
  await disposing;
});

test("of no size, it keeps nothing", async () => {
  const { pool, keep, made } = workshop(0);
  await keep("a");
  expect([made, pool.take("a")]).toEqual([[], undefined]);
});
