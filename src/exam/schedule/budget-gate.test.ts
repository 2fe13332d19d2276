import fc from "fast-check";
import { expect, test } from "vitest";
import { type BudgetShare, createBudgetGate } from "./budget-gate.ts";

const never = new AbortController().signal;

test("without a budget everyone is admitted at once", async () => {
  const gate = createBudgetGate(undefined, undefined);
  const shares = await Promise.all(["a", "a", "b"].map((name) => gate.admit(name, never)));
  expect(shares.every((share) => share !== undefined)).toBe(true);
  expect(gate.isClosed).toBe(false);
});

test("a contestant whose cost is not known yet sits one trial at a time", async () => {
  const gate = createBudgetGate(10, undefined);
  const first = await gate.admit("a", never);
  let second: BudgetShare | undefined;
  const waiting = gate.admit("a", never).then((share) => {
    second = share;
  });
  expect(await gate.admit("b", never)).toBeDefined();
  expect(second).toBeUndefined();
  gate.spend("a", 1, "completed");
  first?.[Symbol.dispose]();
  await waiting;
  expect(second?.reservedUsd).toBe(1);
});

test("an attempt that was broken off is paid for, and does not tell what the next will cost", async () => {
  const gate = createBudgetGate(10, undefined);
  for (const status of ["env_error", "task_error", "cancelled", undefined] as const)
    gate.spend("a", 1, status);
  expect(await gate.admit("a", never)).toMatchObject({ reservedUsd: 0 });
  let second: BudgetShare | undefined;
  void gate.admit("a", never).then((share) => {
    second = share;
  });
  await Promise.resolve();
  expect(second).toBeUndefined();
  gate.spend("a", 6, "completed");
  expect(gate.isClosed).toBe(true);
});

test("the limit on one trial's cost is held back until its contestant's cost is known", async () => {
  const gate = createBudgetGate(2, 0.75);
  const shares = [await gate.admit("a", never), await gate.admit("a", never)];
  expect(shares.map((share) => share?.reservedUsd)).toEqual([0.75, 0.75]);
  const third = gate.admit("a", never);
  gate.spend("a", 0.1, "completed");
  shares[0]?.[Symbol.dispose]();
  expect((await third)?.reservedUsd).toBeCloseTo(0.1, 12);
});

test("a trial that will never fit is turned away, and closes the gate", async () => {
  const gate = createBudgetGate(2, undefined);
  gate.spend("a", 1.5, "completed");
  expect(await gate.admit("a", never)).toBeUndefined();
  expect(gate.isClosed).toBe(true);
});

test("who waits is let go when the exam is cancelled", async () => {
  const gate = createBudgetGate(1, undefined);
  const share = await gate.admit("a", never);
  const stop = new AbortController();
  const waiting = gate.admit("a", stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  share?.[Symbol.dispose]();
});

test("where trials cost what was expected of them, the budget is never passed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.1, max: 20, noNaN: true }),
      fc.double({ min: 0.01, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 8 }),
      async (budget, cost, atOnce) => {
        const gate = createBudgetGate(budget, cost);
        let spent = 0;
        const sit = async (): Promise<void> => {
          for (;;) {
            const share = await gate.admit("a", never);
            if (share === undefined) return;
            await Promise.resolve();
            spent += cost;
            gate.spend("a", cost, "completed");
            share[Symbol.dispose]();
          }
        };
        await Promise.all(Array.from({ length: atOnce }, sit));
        expect(spent).toBeLessThanOrEqual(budget + 1e-9);
        expect(spent + cost).toBeGreaterThan(budget - 1e-9);
      },
    ),
    { numRuns: 40 },
  );
});
