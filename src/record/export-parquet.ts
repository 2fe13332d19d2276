import { callChannels } from "../contract/call-channel.ts";
import type { ResultRow } from "./result-row.ts";

type Cell = string | number | boolean | null | undefined;

interface Column {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "DOUBLE" | "BOOLEAN";
  of(row: ResultRow): Cell;
}

/** As in the CSV export; times are milliseconds, `startedAt` since the Unix epoch. */
const columns: readonly Column[] = [
  { name: "trial", type: "STRING", of: (row) => row.trial },
  { name: "contestant", type: "STRING", of: (row) => row.contestant },
  { name: "instance", type: "STRING", of: (row) => row.instance },
  { name: "repeat", type: "INT32", of: (row) => row.repeat },
  { name: "attempt", type: "INT32", of: (row) => row.attempt },
  { name: "status", type: "STRING", of: (row) => row.status },
  { name: "reason", type: "STRING", of: (row) => row.reason },
  { name: "score", type: "DOUBLE", of: (row) => row.score },
  { name: "scoreReason", type: "STRING", of: (row) => row.scoreReason },
  { name: "fullPass", type: "BOOLEAN", of: (row) => row.fullPass },
  { name: "fullPassReason", type: "STRING", of: (row) => row.fullPassReason },
  { name: "costUsd", type: "DOUBLE", of: (row) => row.costUsd },
  { name: "costUsdReason", type: "STRING", of: (row) => row.costUsdReason },
  // Counts of tokens may pass 2^31; a double holds them exactly up to 2^53.
  { name: "tokens.input", type: "DOUBLE", of: (row) => row.tokens?.input },
  { name: "tokens.cached", type: "DOUBLE", of: (row) => row.tokens?.cached },
  { name: "tokens.output", type: "DOUBLE", of: (row) => row.tokens?.output },
  { name: "tokensReason", type: "STRING", of: (row) => row.tokensReason },
  ...callChannels.map(
    (channel): Column => ({
      name: `channelShares.${channel}`,
      type: "DOUBLE",
      of: (row) => row.channelShares?.[channel],
    }),
  ),
  { name: "channelSharesReason", type: "STRING", of: (row) => row.channelSharesReason },
  { name: "bypassed", type: "BOOLEAN", of: (row) => row.bypassed },
  { name: "bypassedReason", type: "STRING", of: (row) => row.bypassedReason },
  { name: "startedAt", type: "DOUBLE", of: (row) => row.startedAt },
  { name: "wallMs", type: "DOUBLE", of: (row) => row.wallMs },
  { name: "workingMs", type: "DOUBLE", of: (row) => row.workingMs },
  { name: "taskHash", type: "STRING", of: (row) => row.taskHash },
  { name: "comparabilityKey", type: "STRING", of: (row) => row.comparabilityKey },
  { name: "regrade", type: "INT32", of: (row) => row.regrade },
  { name: "dir", type: "STRING", of: (row) => row.dir },
];

/** Result rows as one Parquet file; a missing value is null, its reason in the next column. */
export async function exportParquet(rows: readonly ResultRow[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, type, of }) => ({
      name,
      type,
      nullable: true,
      data: rows.map((row) => of(row) ?? null),
    })),
  });
  return new Uint8Array(buffer);
}
