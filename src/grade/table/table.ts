import type { NumberFormat } from "../number/parse-quantity.ts";
import type { Read } from "../rubric/read.ts";

/** A value of a table. Text formats hold only strings; an empty cell of a typed format is `null`; dates are UTC. */
export type Cell = string | number | bigint | boolean | Date | null;

/** One row, as many cells as the header has names. */
export type Row = readonly Cell[];

export type TableFormat = "csv" | "tsv" | "xlsx" | "ods" | "parquet";

/** A table that has been opened: its header is known, its rows are read when they are visited. */
export interface Table {
  readonly format: TableFormat;
  /** Column names as written, without white space at their ends. */
  readonly header: readonly string[];
  /**
   * Reads the rows from the start, in order, and hands each on with its index (0 is the first below the header).
   * Ends with the number of rows, or bad when a row cannot be read; rows handed on before that stay handed on.
   */
  readonly visitRows: (visit: (row: Row, index: number) => void) => Promise<Read<number>>;
}

/** How a table is written, and how much of it is read. What is not said here is not guessed. */
export interface ReadTableOptions {
  /** Default by the name's ending: `.csv`, `.txt`; `.tsv`, `.tab`; `.xlsx`, `.xlsm`; `.ods`; `.parquet`. */
  readonly format?: TableFormat;
  /** Between the cells of CSV; default a comma, a tab for TSV. */
  readonly delimiter?: "," | ";" | "\t" | "|";
  /** Of CSV and TSV. Default: as a byte order mark says, else UTF-8. `latin1` is Windows-1252. */
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "latin1";
  /** `first-row` (default), or the names of the columns of a file without a header. */
  readonly header?: "first-row" | readonly string[];
  /** Rows above the header (or the first row) that are passed over; default 0. Blank lines never count. */
  readonly skipRows?: number;
  /** Of a workbook: a sheet's name, or its index from 0. Default the first sheet. */
  readonly sheet?: string | number;
  /**
   * A CSV row with more or fewer cells than the header: `refuse` (default) makes the table bad, `pad` fills up with
   * empty cells and drops surplus ones. Empty surplus cells never matter; workbooks are always padded.
   */
  readonly ragged?: "refuse" | "pad";
  /** How numbers are written in text cells; default `1234.5`. */
  readonly numbers?: NumberFormat;
  readonly limits?: TableLimits;
}

export interface TableLimits {
  /** Of the file, default 4 GiB. */
  readonly maxBytes?: number;
  /** Default 20,000,000. */
  readonly maxRows?: number;
  /** Default 4,096. */
  readonly maxColumns?: number;
  /** Characters of one row, default 4,000,000. */
  readonly maxRowCharacters?: number;
  /** For decoding one row group of Parquet, default 120,000 ms. */
  readonly maxBatchMs?: number;
}

/** Limits with nothing left to defaults. */
export type ResolvedTableLimits = Required<TableLimits>;

/** The limits with every absent one at its default. */
export function resolveTableLimits(limits: TableLimits = {}): ResolvedTableLimits {
  return {
    maxBytes: limits.maxBytes ?? 4 * 1024 ** 3,
    maxRows: limits.maxRows ?? 20_000_000,
    maxColumns: limits.maxColumns ?? 4096,
    maxRowCharacters: limits.maxRowCharacters ?? 4_000_000,
    maxBatchMs: limits.maxBatchMs ?? 120_000,
  };
}
