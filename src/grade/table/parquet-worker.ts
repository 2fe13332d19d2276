import { parentPort, workerData } from "node:worker_threads";
import { asyncBufferFromFile, parquetMetadataAsync, parquetScan, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { Cell } from "./table.ts";

/** What the worker is started with. */
export interface ParquetTask {
  readonly path: string;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** What it answers, each time it is asked by any message; after `end` and `problem` it is done. */
export type ParquetReply =
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "rows"; readonly rows: Cell[][] }
  | { readonly kind: "end" }
  | { readonly kind: "problem"; readonly message: string };

/** Bytes that one row group, or one page, may unpack to: a group is held in memory whole. */
const maxGroupBytes = 512 * 1024 * 1024;
const rowsAtOnce = 10_000;

class Refusal extends Error {}

async function* read({ path, maxRows, maxColumns }: ParquetTask): AsyncGenerator<ParquetReply> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const names = parquetSchema(metadata).children.map((child) => child.element.name);
  if (names.length > maxColumns) throw new Refusal(`it has ${names.length} columns`);
  if (new Set(names).size < names.length) throw new Refusal("it has two columns of one name");
  let rows = 0;
  for (const group of metadata.row_groups) {
    rows += Number(group.num_rows);
    if (!(group.num_rows >= 0n && rows <= maxRows)) throw new Refusal(`it has more than ${maxRows} rows`);
    const sizes = group.columns.map((column) => Number(column.meta_data?.total_uncompressed_size ?? 0n));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > maxGroupBytes) throw new Refusal(`a row group unpacks to ${bytes} bytes`);
  }
  yield { kind: "names", names };
  const scan = await parquetScan({ file, metadata, compressors: guarded, useOffsetIndex: false });
  for (const { rowStart, rowEnd } of scan.ranges) {
    const columns = await Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
    const count = rowEnd - rowStart;
    // A damaged column that is too short would otherwise read as empty cells.
    if (columns.some((column) => column.length < count)) throw new Refusal("a column lacks some of its rows");
    for (let from = 0; from < count; from += rowsAtOnce) {
      const batch = Array.from({ length: Math.min(rowsAtOnce, count - from) }, (_row, index) =>
        columns.map((column) => toCell(column[from + index])),
      );
      yield { kind: "rows", rows: batch };
    }
  }
  yield { kind: "end" };
}

/** A page says how much it unpacks to, and is allotted that much before it is unpacked. */
const guarded: typeof compressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, outputLength: number): Uint8Array => {
      if (outputLength > maxGroupBytes) throw new Refusal(`a page unpacks to ${outputLength} bytes`);
      return unpack(input, outputLength);
    },
  ]),
);

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint" || value instanceof Date) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item));
}

const replies = read(workerData as ParquetTask);
parentPort?.on("message", async () => {
  let reply: ParquetReply;
  try {
    const next = await replies.next();
    reply = next.done === true ? { kind: "end" } : next.value;
  } catch (error) {
    // The library's own complaints are about the file.
    const message = error instanceof Refusal ? error.message : "it is not a sound Parquet file";
    reply = { kind: "problem", message };
  }
  parentPort?.postMessage(reply);
});
