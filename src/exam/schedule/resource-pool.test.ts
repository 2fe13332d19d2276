import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Lease, ResourcePool } from "./resource-pool.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("ResourcePool", () => {
  test("never holds more than its capacity, serves everyone, and ends empty", async () => {
    const need = fc.record({
      cpus: fc.integer({ min: 1, max: 12 }),
      memory: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(need, { maxLength: 60 }),
        fc.infiniteStream(fc.nat()),
        async (needs, choices) => {
          const capacity = { cpus: 8, memory: 32 };
          const pool = new ResourcePool(capacity);
          const held: Lease[] = [];
          let served = 0;
          for (const wanted of needs) {
            void pool.acquire(wanted).then((lease) => {
              held.push(lease);
              served++;
            });
          }
          await settle();
          while (held.length > 0) {
            expect(pool.used["cpus"] ?? 0).toBeLessThanOrEqual(capacity.cpus);
            expect(pool.used["memory"] ?? 0).toBeLessThanOrEqual(capacity.memory);
            const [lease] = held.splice((choices.next().value ?? 0) % held.length, 1);
            lease?.[Symbol.dispose]();
            await settle();
          }
          expect(served).toBe(needs.length);
          expect(pool.waiting).toBe(0);
          expect(Object.values(pool.used).every((amount) => amount === 0)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("a big need is overtaken by small ones only a bounded number of times", async () => {
    const pool = new ResourcePool({ cpus: 4 });
    const first = await pool.acquire({ cpus: 2 });
    let bigServed = false;
    const big = pool.acquire({ cpus: 4 }).then((lease) => {
      bigServed = true;
      return lease;
    });
    let overtakers = 0;
    const small = Array.from({ length: 100 }, () =>
      pool.acquire({ cpus: 1 }).then(async (lease) => {
        if (!bigServed) overtakers++;
        await settle();
        lease[Symbol.dispose]();
      }),
    );
    await settle();
    first[Symbol.dispose]();
    (await big)[Symbol.dispose]();
    await Promise.all(small);
    expect(overtakers).toBeGreaterThan(0);
    expect(overtakers).toBeLessThanOrEqual(16);
  });

  test("a need above the whole capacity runs alone", async () => {
    const pool = new ResourcePool({ cpus: 2 });
    using lease = await pool.acquire({ cpus: 64 });
    expect(lease.amounts).toEqual({ cpus: 2 });
  });

  test("a kind without a limit is free", async () => {
    const pool = new ResourcePool({ cpus: 1 });
    using _first = await pool.acquire({ gpu: 1000 });
    using _second = await pool.acquire({ gpu: 1000, cpus: 1 });
    expect(pool.used).toEqual({ cpus: 1 });
  });

  test("a waiter that is cancelled leaves the queue and lets those behind it through", async () => {
    const pool = new ResourcePool({ cpus: 1 });
    const held = await pool.acquire({ cpus: 1 });
    const cancel = new AbortController();
    const cancelled = pool.acquire({ cpus: 1 }, cancel.signal);
    const behind = pool.acquire({ cpus: 1 });
    cancel.abort(new DOMException("enough", "AbortError"));
    await expect(cancelled).rejects.toThrow("enough");
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    using _lease = await behind;
    expect(pool.used).toEqual({ cpus: 1 });
  });
});
