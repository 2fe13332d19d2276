import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readReportedBoard, storeReportedBoard } from "./board-store.ts";
import { importReported } from "./import-reported.ts";
import { reportedRows } from "./reported-rows.ts";

const header = "harness,model,variant,runs,tasks,passes,passRate,avgScore,durS,inM,outM,cost,costSource";
/** Rows of the export of 2026-09-25. */
const csv = `${header}
claude_code,claude-opus-5-5,thinking-max,150,150,58,0.38158,0.63237,657917,4196.7,25.89,1340.16,db
codex,gpt-6-astra,reasoning-max,151,151,52,0.34211,0.59256,526557,580.6,6.28,1099.77,db
codex,gpt-5-5,reasoning-xhigh,299,152,80,0.26645,0.47931,349653,560.5,6.37,601.69,db
codex,gpt-5-5,,438,152,110,0.24452,0.44716,270900,489.9,3.52,415.59,db+list
codex,gpt-5-5,reasoning-low,152,152,26,0.17105,0.36370,139211,109.3,1.27,146.61,db
claude_code,qwen-3-8-27b,reasoning-max,148,148,31,0.20395,0.42885,1000719,2742.7,14.98,,
openclaw,gpt-5-5,,136,136,33,0.21711,0.42072,297468,469.3,3.28,446.52,db
openclaw,grok-4-3,,262,145,13,0.04276,0.15779,284644,168.7,2.75,80.18,db+list
`;
const options = { name: "official", file: "official.csv", importedAt: 1 };
const board = importReported(csv, options);

test("the published leaders have their Wilson intervals over all 152 tasks and are tied", () => {
  const { rows, lane, policy } = reportedRows(board, "reported-full-pass");
  expect({ lane, policy }).toEqual({ lane: "reported-full-pass", policy: "ale-missing-zero" });
  const shown = rows.slice(0, 2).map((row) => {
    const points = [row.value, row.low ?? 0, row.high ?? 0].map((share) => (share * 100).toFixed(1));
    return [row.contestant, row.n, row.missing, row.band, ...points];
  });
  expect(shown).toEqual([
    ["claude_code:claude-opus-5-5:thinking-max", 152, 2, 1, "38.2", "30.8", "46.1"],
    ["codex:gpt-6-astra:reasoning-max", 152, 1, 1, "34.2", "27.1", "42.1"],
  ]);
  expect(rows.at(-1)).toMatchObject({ contestant: "openclaw:grok-4-3", rankHigh: 8 });
  expect(rows.at(-1)?.band).toBeGreaterThan(1);
});

test("ranges are highest minus lowest with the rest held equal", () => {
  const { ranges } = reportedRows(board, "reported-full-pass");
  const shown = (list: typeof ranges.model) =>
    list.map((range) => [range.of, range.levels, range.points.toFixed(1)]);
  expect(shown(ranges.model)).toContainEqual(["openclaw", 2, "17.4"]);
  expect(shown(ranges.harness)).toEqual([["gpt-5-5", 2, "2.7"]]);
  expect(shown(ranges.effort)).toEqual([["gpt-5-5 on codex", 3, "9.5"]]);
});

test("a missing price stays unknown, and the words say what the file cannot tell", () => {
  const view = reportedRows(board, "reported-mean");
  const unpriced = view.rows.find((row) => row.model === "qwen-3-8-27b");
  expect(unpriced).toMatchObject({ costUsd: null, costUsdReason: "not published", costPerPassUsd: null });
  expect(view.unknowable.join("\n")).toMatch(
    /no dates[\s\S]*versions[\s\S]*count as failures[\s\S]*unknown for 1 rows/,
  );
  expect(view.assumptions.join("\n")).toMatch(/independent proportions/);
});

test("JSON of the same fields, bare or in an object, is the same board", () => {
  const rows = csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) =>
      Object.fromEntries(line.split(",").map((cell, index) => [header.split(",")[index], cell])),
    );
  for (const value of [rows, { updated: "x", rows }]) {
    expect(importReported(JSON.stringify(value), options).rows).toEqual(board.rows);
  }
});

test("every wrong field is named with its line, and nothing is imported", () => {
  const bad = `${header}\ncodex,m,,2,3,1,1.2,x,-1,,,,\ncodex,m,,1,1,0,0,0,,,,,\n`;
  expect(() => importReported(bad, options)).toThrow(
    /line 2: passRate is "1.2"[\s\S]*line 2: avgScore is "x"[\s\S]*line 2: durS is "-1"[\s\S]*3 tasks in 2 runs[\s\S]*line 3: the same contestant as line 2/,
  );
  expect(() => importReported("[1]", options)).toThrow(/row 1 is not an object/);
  expect(() => importReported('{"a":1}', options)).toThrow(/exactly one list/);
  expect(() => importReported(csv, { ...options, tasks: 100 })).toThrow(/more than the 100 of the split/);
});

test("an import is kept once, never overwritten, and found again by name or as the last", async () => {
  const dir = await mkdtemp(join(tmpdir(), "ale-boards-"));
  try {
    expect((await storeReportedBoard(dir, board)).kept).toBe("new");
    expect((await storeReportedBoard(dir, { ...board, importedAt: 9 })).kept).toBe("already there");
    const other = importReported(csv.replace("58,", "57,"), options);
    await expect(storeReportedBoard(dir, other)).rejects.toThrow(/holds another import/);
    await storeReportedBoard(dir, { ...other, name: "later", importedAt: 2 });
    expect((await readReportedBoard(dir)).name).toBe("later");
    expect(await readReportedBoard(dir, "official")).toEqual(board);
    await expect(readReportedBoard(dir, "none")).rejects.toThrow(/there is no board none/);
    await writeFile(join(dir, "official.json"), "{}");
    await expect(readReportedBoard(dir, "official")).rejects.toMatchObject({ code: "board-damaged" });
  } finally {
    await rm(dir, { recursive: true });
  }
});
