import { callChannels } from "../contract/call-channel.ts";
import type { ResultRow } from "./result-row.ts";

/** One JSON object a line, each with its line feed. */
export async function* exportJsonLines(
  rows: Iterable<ResultRow> | AsyncIterable<ResultRow>,
): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

const csvColumns = [
  "trial",
  "contestant",
  "instance",
  "repeat",
  "attempt",
  "status",
  "reason",
  "score",
  "scoreReason",
  "fullPass",
  "fullPassReason",
  "costUsd",
  "costUsdReason",
  "tokens.input",
  "tokens.cached",
  "tokens.output",
  "tokensReason",
  "channelShares.screen",
  "channelShares.shell",
  "channelShares.file",
  "channelShares.network",
  "channelShares.other",
  "channelSharesReason",
  "bypassed",
  "bypassedReason",
  "startedAt",
  "wallMs",
  "workingMs",
  "taskHash",
  "comparabilityKey",
  "regrade",
  "dir",
] as const;

type CsvColumn = (typeof csvColumns)[number];
type CsvCells = Readonly<Record<CsvColumn, string | number | boolean | null>>;

/** CSV after RFC 4180 with a header line; a missing value is an empty cell, its reason in the next column. */
export async function* exportCsv(
  rows: Iterable<ResultRow> | AsyncIterable<ResultRow>,
): AsyncGenerator<string> {
  yield `${csvColumns.join(",")}\r\n`;
  for await (const row of rows) {
    const cells = csvCells(row);
    yield `${csvColumns.map((column) => csvField(cells[column])).join(",")}\r\n`;
  }
}

function csvCells({ tokens, channelShares, ...row }: ResultRow): CsvCells {
  const shares = callChannels.map((name) => [`channelShares.${name}`, channelShares?.[name] ?? null]);
  return {
    ...row,
    ...(Object.fromEntries(shares) as Pick<CsvCells, `channelShares.${(typeof callChannels)[number]}`>),
    "tokens.input": tokens?.input ?? null,
    "tokens.cached": tokens?.cached ?? null,
    "tokens.output": tokens?.output ?? null,
  };
}

function csvField(value: string | number | boolean | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
