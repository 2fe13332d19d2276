import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRandom } from "../contract/random.ts";
import { itemResponse } from "./item-response.ts";
import type { ResponseTally } from "./item-response-model.ts";

/** What direct maximisation in R gives; made by `fixtures/item-response.R`. */
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "item-response.json"), "utf8"),
) as {
  readonly runs: number;
  readonly passes: readonly (readonly number[])[];
  readonly discrimination: readonly number[];
  readonly difficulty: readonly number[];
  readonly discriminationError: readonly number[];
  readonly difficultyError: readonly number[];
  readonly logLikelihood: number;
};

const tallies: readonly ResponseTally[] = reference.passes.flatMap((row, contestant) =>
  row.map((passes, task) => ({
    contestant: `c${contestant}`,
    task: `t${task}`,
    passes,
    runs: reference.runs,
  })),
);

test("difficulty, discrimination and likelihood agree with direct maximisation in R", () => {
  const fit = itemResponse(tallies);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  expect(fit.logLikelihood).toBeCloseTo(reference.logLikelihood, 3);
  fit.items.forEach((item, index) => {
    if (!item.difficulty.known || !item.discrimination.known) throw new Error("no estimate");
    expect(Math.abs(item.difficulty.value - (reference.difficulty[index] as number))).toBeLessThan(0.01);
    expect(
      Math.abs(item.discrimination.value / (reference.discrimination[index] as number) - 1),
    ).toBeLessThan(0.01);
  });
});

test("standard errors agree with those of the Hessian that R's optimiser finds", () => {
  const fit = itemResponse(tallies);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  fit.items.forEach(({ difficultyError, discriminationError }, index) => {
    if (!difficultyError.known || !discriminationError.known) throw new Error("no error");
    expect(
      Math.abs(discriminationError.value / (reference.discriminationError[index] as number) - 1),
    ).toBeLessThan(0.01);
    expect(Math.abs(difficultyError.value / (reference.difficultyError[index] as number) - 1)).toBeLessThan(
      0.01,
    );
  });
});

test("abilities follow the passes, and are less sure for contestants with fewer runs", () => {
  const fewer = tallies.filter((tally) => tally.contestant !== "c0" || tally.task === "t0");
  const fit = itemResponse(fewer);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  const total = (name: string): number =>
    fewer.filter((tally) => tally.contestant === name).reduce((sum, tally) => sum + tally.passes, 0);
  const rest = fit.abilities.filter((ability) => ability.contestant !== "c0");
  const best = rest.reduce((one, other) => (total(other.contestant) > total(one.contestant) ? other : one));
  const worst = rest.reduce((one, other) => (total(other.contestant) < total(one.contestant) ? other : one));
  expect(best.ability).toBeGreaterThan(worst.ability + 1);
  const deviations = rest.map((ability) => ability.deviation);
  expect(fit.abilities[0]?.deviation).toBeGreaterThan(Math.max(...deviations));
});

test("a task that all passed has no estimate and says why", () => {
  const random = createRandom(5);
  const rows = Array.from({ length: 40 }, (_, index) => ({
    contestant: `c${index}`,
    ability: (index - 20) / 8,
  }));
  const steep = rows.flatMap(({ contestant, ability }): ResponseTally[] => [
    { contestant, task: "all", passes: 3, runs: 3 },
    ...Array.from({ length: 6 }, (_, index): ResponseTally => {
      const chance = 1 / (1 + Math.exp(-1.5 * (ability - index / 3 + 1)));
      const passes = [0, 1, 2].filter(() => random.next() < chance).length;
      return { contestant, task: `t${index}`, passes, runs: 3 };
    }),
  ]);
  const fit = itemResponse(steep);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  const absent = { known: false, reason: expect.stringContaining("tells nobody apart") };
  expect(fit.items[0]).toEqual({
    task: "all",
    difficulty: absent,
    difficultyError: absent,
    discrimination: absent,
    discriminationError: absent,
  });
});

test("tasks that separate contestants perfectly have no finite estimate", () => {
  const ladder = Array.from({ length: 40 }, (_, contestant) =>
    [10, 20, 30].map(
      (threshold): ResponseTally => ({
        contestant: `c${contestant}`,
        task: `t${threshold}`,
        passes: contestant >= threshold ? 5 : 0,
        runs: 5,
      }),
    ),
  ).flat();
  const fit = itemResponse(ladder);
  if (fit.kind !== "fit") throw new Error(fit.reason);
  const reasons = fit.items.map((item) => (item.difficulty.known ? "" : item.difficulty.reason));
  expect(reasons).toContain("contestants are separated perfectly: no finite estimate");
});

test("too few contestants or tasks are refused", () => {
  expect(
    itemResponse(tallies.filter((tally) => /^c1?\d$/.test(tally.contestant) && tally.contestant < "c18")),
  ).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("too few"),
  });
  expect(itemResponse(tallies.filter((tally) => tally.task < "t2"))).toMatchObject({
    kind: "refused",
    reason: "2 tasks tell contestants apart: at least 3 are needed",
  });
});
