import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorkplace } from "./run-ale.ts";

const csv = `harness,model,variant,runs,tasks,passes,passRate,avgScore,durS,inM,outM,cost,costSource
claude_code,claude-opus-5-5,thinking-max,150,150,58,0.38158,0.63237,657917,4196.7,25.89,1340.16,db
codex,gpt-6-astra,reasoning-max,151,151,52,0.34211,0.59256,526557,580.6,6.28,1099.77,db
openclaw,grok-4-3,,262,152,13,0.04276,0.15779,284644,168.7,2.75,80.18,db+list
`;

interface Row {
  readonly contestant: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly band: number;
}

test("a published board is imported, ranked in its own lane, correlated, and never mixed with runs", async () => {
  await using workplace = await createWorkplace();
  await writeFile(join(workplace.dir, "official.csv"), csv);
  expect(await workplace.ale("board", "import", "official.csv")).toMatchObject({ status: 0, stderr: "" });

  const shown = await workplace.ale("board", "--lane", "reported-full-pass", "--json");
  const board = JSON.parse(shown.stdout) as { readonly lane: string; readonly rows: readonly Row[] };
  expect(board.lane).toBe("reported-full-pass");
  const points = (share: number): string => (share * 100).toFixed(1);
  expect(
    board.rows.map((row) => [row.contestant, points(row.value), points(row.low), points(row.high), row.band]),
  ).toEqual([
    ["claude_code:claude-opus-5-5:thinking-max", "38.2", "30.8", "46.1", 1],
    ["codex:gpt-6-astra:reasoning-max", "34.2", "27.1", "42.1", 1],
    ["openclaw:grok-4-3", "4.3", "2.0", "8.8", 2],
  ]);

  await writeFile(
    join(workplace.dir, "others.csv"),
    "model,benchmark,score\ngrok-4-3,x,1\ngpt-6-astra,x,9\n",
  );
  const correlated = await workplace.ale("board", "correlate", "others.csv", "--lane", "reported-mean");
  expect(correlated.stdout).toMatch(/reported-mean[\s\S]*x +2/);

  const mixed = await workplace.ale("board", "some-run", "--lane", "reported-mean");
  expect(mixed.status).toBe(2);
  expect(mixed.stderr).toMatch(/runs are verified and never stand in a reported-mean lane/);
});
