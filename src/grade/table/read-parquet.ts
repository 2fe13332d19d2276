import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { Cell, ResolvedTableLimits } from "./table.ts";
import { TableProblem } from "./table-problem.ts";

/** Bytes that one row group may unpack to: it is held in memory whole. */
const maxGroupBytes = 512 * 1024 * 1024;
const rowsAtOnce = 20_000;

/**
 * The records of a flat Parquet file, the names of its columns first. Nested values become JSON text.
 * Throws a `TableProblem` for a file that is damaged or whose row groups are beyond the limits.
 */
export async function* readParquet(path: string, limits: ResolvedTableLimits): AsyncGenerator<Cell[][]> {
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const names = parquetSchema(metadata).children.map((child) => child.element.name);
    if (names.length > limits.maxColumns) throw new TableProblem(`it has ${names.length} columns`);
    if (Number(metadata.num_rows) > limits.maxRows)
      throw new TableProblem(`it has ${metadata.num_rows} rows`);
    for (const group of metadata.row_groups) {
      const bytes = group.columns.reduce(
        (sum, column) => sum + Number(column.meta_data?.total_uncompressed_size ?? 0n),
        0,
      );
      if (bytes > maxGroupBytes) throw new TableProblem(`a row group unpacks to ${bytes} bytes`);
    }
    yield [names];
    let from = 0;
    for (const group of metadata.row_groups) {
      const end = from + Number(group.num_rows);
      for (; from < end; from = Math.min(end, from + rowsAtOnce)) {
        const range = { rowStart: from, rowEnd: Math.min(end, from + rowsAtOnce) };
        const objects = await parquetReadObjects({ file, metadata, compressors: guarded, ...range });
        yield objects.map((object) => names.map((name) => toCell(object[name])));
      }
    }
  } catch (cause) {
    if (cause instanceof TableProblem) throw cause;
    throw new TableProblem("it is not a sound Parquet file", { cause });
  }
}

/** A page says how much it unpacks to, and is allotted that much before it is unpacked. */
const guarded: typeof compressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, outputLength: number): Uint8Array => {
      if (outputLength > maxGroupBytes) throw new TableProblem(`a page unpacks to ${outputLength} bytes`);
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
