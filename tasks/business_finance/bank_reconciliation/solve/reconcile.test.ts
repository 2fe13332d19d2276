import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import { expect, test } from "vitest";
import { figuresOf } from "../figures.ts";
import { generate } from "../generate/generate.ts";
import type { Reconciliation } from "../items.ts";
import { readInputs } from "./read-inputs.ts";
import { reconcile } from "./reconcile.ts";

const sorted = (items: readonly object[]): string[] => items.map((item) => JSON.stringify(item)).sort();

test.each([1, 2, 3, 4, 5, 6, 7, 8])("the month of seed %i is reconciled as it was made", (seed) => {
  const dir = mkdtempSync(join(tmpdir(), "ale-bank-"));
  try {
    const params = {
      period: "2026-04",
      period_end: "2026-04-30",
      operating: 60,
      second: 30,
      differences: 1 + (seed % 4),
    };
    generate({ instance: "test", seed, params, input: dir, reference: dir, random: createRandom(seed) });
    const truth = JSON.parse(readFileSync(join(dir, "truth.json"), "utf8")) as Reconciliation;
    const found = reconcile(readInputs(dir), params.period_end);
    for (const part of ["matches", "items", "entries"] as const) {
      expect(sorted(found[part])).toEqual(sorted(truth[part]));
    }
    expect(found.balances).toEqual(truth.balances);
    expect([figuresOf(found, "1010").difference, figuresOf(found, "1020").difference]).toEqual([0, 0]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
