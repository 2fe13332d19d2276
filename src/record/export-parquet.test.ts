import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { exportParquet } from "./export-parquet.ts";
import { exportCsv } from "./export-results.ts";
import type { ResultRow } from "./result-row.ts";

const row: ResultRow = {
  trial: "a.legal.w.b.r1",
  contestant: "a",
  instance: "legal/w@b",
  repeat: 1,
  attempt: 2,
  status: "completed",
  reason: "",
  score: 0.25,
  scoreReason: null,
  fullPass: false,
  fullPassReason: null,
  costUsd: null,
  costUsdReason: "the model has no price",
  tokens: { input: 5_000_000_000, cached: 1, output: 2 },
  tokensReason: null,
  channelShares: { screen: 0.75, shell: 0.25, file: 0, network: 0, other: 0 },
  channelSharesReason: null,
  bypassed: false,
  bypassedReason: null,
  startedAt: 1_795_000_000_000,
  wallMs: 1234.5,
  workingMs: 1000,
  taskHash: "sha256:t",
  comparabilityKey: "sha256:k",
  regrade: null,
  dir: "/runs/x",
};

test("what is written to Parquet reads back, nulls as nulls and large counts whole", async () => {
  const { score: _, ...rest } = row;
  const unscored: ResultRow = { ...rest, score: null, scoreReason: "no verdict", tokens: null };
  const bytes = await exportParquet([row, unscored]);
  const [first, second] = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  expect(first).toMatchObject({
    trial: row.trial,
    score: 0.25,
    fullPass: false,
    costUsd: null,
    costUsdReason: "the model has no price",
    "tokens.input": 5_000_000_000,
    regrade: null,
  });
  expect(second).toMatchObject({ score: null, scoreReason: "no verdict", "tokens.input": null });
});

test("Parquet and CSV have the same columns, also without rows", async () => {
  const bytes = await exportParquet([]);
  const { schema } = parquetMetadata(bytes.buffer as ArrayBuffer);
  const lines: string[] = [];
  for await (const line of exportCsv([])) lines.push(line);
  expect(schema.slice(1).map((element) => element.name)).toEqual(lines.join("").trim().split(","));
});
