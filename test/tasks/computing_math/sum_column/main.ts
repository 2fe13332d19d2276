import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "ale/grade/rubric/check";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { defineTask } from "ale/task";

function readTotal(path: string): number | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const total = (value as { total?: unknown } | null)?.total;
    return typeof total === "number" ? total : undefined;
  } catch {
    return undefined;
  }
}

export default defineTask<{ rows: number }>({
  generate({ input, reference, params, random }) {
    const cents = Array.from({ length: params.rows }, () => random.integer(1, 1_000_000));
    const amounts = cents.map((value) => (value / 100).toFixed(2));
    writeFileSync(join(input, "amounts.csv"), `amount\n${amounts.join("\n")}\n`);
    const total = cents.reduce((sum, value) => sum + value, 0) / 100;
    writeFileSync(join(reference, "total.json"), `${JSON.stringify({ total })}\n`);
  },

  grade({ artifacts, reference }) {
    const expected = readTotal(join(reference, "total.json"));
    const actual = readTotal(join(artifacts, "total.json"));
    const right = actual !== undefined && expected !== undefined && Math.abs(actual - expected) < 0.005;
    return weightedRubric([
      check({
        id: "total",
        stage: "sum",
        outcome: {
          score: right ? 1 : 0,
          message: right ? "the total is right" : `expected ${expected}, found ${actual}`,
        },
      }),
    ]);
  },

  solve({ input, output }) {
    const [, ...amounts] = readFileSync(join(input, "amounts.csv"), "utf8").trim().split("\n");
    const cents = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
    writeFileSync(join(output, "total.json"), `${JSON.stringify({ total: cents / 100 })}\n`);
  },

  probes: [
    {
      name: "no-file",
      kind: "empty",
      expected: 0,
      because: "nothing was handed in",
      make: ({ output }) => writeFileSync(join(output, "total.json"), ""),
    },
    {
      name: "one-cent-off",
      kind: "off-tolerance",
      expected: 0,
      because: "the sum must be exact to the cent",
      make({ output }) {
        const total = readTotal(join(output, "total.json")) ?? 0;
        writeFileSync(join(output, "total.json"), JSON.stringify({ total: total + 0.01 }));
      },
    },
    {
      name: "indented",
      kind: "valid-alternative",
      expected: 1,
      because: "white space in JSON means nothing",
      make({ output }) {
        const total = readTotal(join(output, "total.json")) ?? 0;
        writeFileSync(join(output, "total.json"), JSON.stringify({ total }, null, 4));
      },
    },
  ],
});
