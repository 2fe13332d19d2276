import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { readSheetRows } from "../spreadsheet/read-sheet-rows.ts";
import { decodePieces } from "./decode-pieces.ts";
import { DelimitedParser } from "./delimited-parser.ts";
import { readParquet } from "./read-parquet.ts";
import {
  type Cell,
  type ReadTableOptions,
  type ResolvedTableLimits,
  type Row,
  resolveTableLimits,
  type Table,
  type TableFormat,
} from "./table.ts";
import { TableProblem } from "./table-problem.ts";

/**
 * Opens a CSV, TSV, XLSX, ODS or Parquet file as a table and reads its header. Bad when the file is missing, no
 * regular file, beyond the limits, damaged or without a header. Memory stays small whatever the number of rows.
 *
 * @param path of a file on the host, e.g. from `locateArtifact`.
 * Throws an `AleError` coded `table-misuse` when the format is neither given nor told by the name.
 */
export async function readTable(path: string, options: ReadTableOptions = {}): Promise<Read<Table>> {
  const format = options.format ?? formatOf(path);
  const limits = resolveTableLimits(options.limits);
  const name = quote(basename(path));
  const problem = await findFileProblem(path, limits.maxBytes);
  if (problem !== undefined) return bad(`${name} ${problem}.`);
  const records = (): AsyncIterable<Cell[][]> => readRecords(path, format, options, limits);

  const given = options.header !== undefined && options.header !== "first-row" ? options.header : undefined;
  let header = given;
  const above = options.skipRows ?? 0;
  if (header === undefined) {
    try {
      header = await readHeader(records(), above);
    } catch (error) {
      return asBad(name, error);
    }
    if (header === undefined) return bad(`${name} has no header: it is empty.`);
  }
  const columns = header;
  const passOver = above + (given === undefined ? 1 : 0);
  // A Parquet file has names of its own, whatever it is given.
  const first = format === "parquet" && given !== undefined ? passOver + 1 : passOver;
  const padded = options.ragged === "pad" || !(format === "csv" || format === "tsv");

  async function visitRows(visit: (row: Row, index: number) => void): Promise<Read<number>> {
    let seen = 0;
    let count = 0;
    try {
      for await (const batch of records()) {
        for (const record of batch) {
          if (seen++ < first) continue;
          if (count >= limits.maxRows) return bad(`${name} has more than ${limits.maxRows} rows.`);
          fitToHeader(record, columns.length, padded, count);
          visit(record, count++);
        }
      }
      return ok(count);
    } catch (error) {
      return asBad(name, error);
    }
  }
  return ok({ format, header: columns, visitRows });
}

function formatOf(path: string): TableFormat {
  switch (extname(path).toLowerCase()) {
    case ".csv":
    case ".txt":
      return "csv";
    case ".tsv":
    case ".tab":
      return "tsv";
    case ".xlsx":
    case ".xlsm":
      return "xlsx";
    case ".ods":
      return "ods";
    case ".parquet":
      return "parquet";
    default:
      throw new AleError({
        code: "table-misuse",
        message: `The name ${quote(basename(path))} does not say which format the table has.`,
        remedy: "Give the option `format`: csv, tsv, xlsx, ods or parquet.",
        fields: { path },
      });
  }
}

async function findFileProblem(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return "is not a regular file";
    if (found.size > maxBytes) return `is too large: ${found.size} bytes, at most ${maxBytes} are read`;
    return found.size === 0 ? "is empty" : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ENOENT" || code === "ENOTDIR"
      ? "is missing"
      : `cannot be read (${code ?? "unknown error"})`;
  }
}

function readRecords(
  path: string,
  format: TableFormat,
  options: ReadTableOptions,
  limits: ResolvedTableLimits,
): AsyncIterable<Cell[][]> {
  if (format === "parquet") return readParquet(path, limits);
  if (format === "csv" || format === "tsv") {
    return readDelimited(path, options.delimiter ?? (format === "tsv" ? "\t" : ","), options, limits);
  }
  return readSheetRows(path, format, options.sheet ?? 0, limits);
}

async function* readDelimited(
  path: string,
  delimiter: string,
  options: ReadTableOptions,
  limits: ResolvedTableLimits,
): AsyncGenerator<Cell[][]> {
  let batch: Cell[][] = [];
  const parser = new DelimitedParser(delimiter, limits, (record) => batch.push(record));
  for await (const piece of decodePieces(path, options.encoding)) {
    parser.write(piece);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  parser.end();
  if (batch.length > 0) yield batch;
}

async function readHeader(
  records: AsyncIterable<Cell[][]>,
  above: number,
): Promise<readonly string[] | undefined> {
  let seen = 0;
  for await (const batch of records) {
    for (const record of batch) {
      if (seen++ < above) continue;
      const names = record.map((cell) => (cell === null ? "" : String(cell).trim()));
      while (names.at(-1) === "") names.pop();
      return names;
    }
  }
  return undefined;
}

/** Makes the record as wide as the header. */
function fitToHeader(record: Cell[], width: number, padded: boolean, index: number): void {
  if (record.length === width) return;
  while (record.length > width) {
    const last = record.at(-1);
    if (!padded && last !== "" && last !== null) {
      throw new TableProblem(`row ${index + 1} has ${record.length} cells, the header ${width}`);
    }
    record.pop();
  }
  if (record.length < width && !padded) {
    throw new TableProblem(`row ${index + 1} has ${record.length} cells, the header ${width}`);
  }
  while (record.length < width) record.push(null);
}

function asBad(name: string, error: unknown): Read<never> {
  if (error instanceof TableProblem) return bad(`${name} cannot be read as a table: ${error.message}.`);
  throw error;
}
