import { CsvError, parse } from "csv-parse/sync";
import { AleError } from "../../contract/ale-error.ts";

/** The fields of a published row, as text or number, with where it stands in the file. */
export interface ReportedRecord {
  /** `line 3`, or `row 2` of a JSON list. */
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Rows of a published export: CSV with a header line, or JSON, a list of objects or an object with one such list.
 * Throws `malformed-file` when it is neither.
 */
export function reportedRecords(text: string): readonly ReportedRecord[] {
  return /^\s*[[{]/.test(text) ? jsonRecords(text) : csvRecords(text);
}

function csvRecords(text: string): readonly ReportedRecord[] {
  try {
    const rows = parse(text, { columns: true, bom: true, skip_empty_lines: true, info: true }) as unknown as {
      readonly record: Readonly<Record<string, string>>;
      readonly info: { readonly lines: number };
    }[];
    return rows.map(({ record, info }) => ({ place: `line ${info.lines}`, fields: record }));
  } catch (error) {
    if (error instanceof CsvError) throw malformed(`it is not CSV: ${error.message}`, error);
    throw error;
  }
}

function jsonRecords(text: string): readonly ReportedRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const lists = Array.isArray(value) ? [value] : Object.values(value as object).filter(Array.isArray);
  const [list] = lists;
  if (list === undefined || lists.length !== 1) {
    throw malformed("its JSON must be a list of rows, or an object with exactly one list");
  }
  return list.map((item: unknown, index) => {
    if (typeof item !== "object" || item === null) throw malformed(`row ${index + 1} is not an object`);
    return { place: `row ${index + 1}`, fields: item as Readonly<Record<string, unknown>> };
  });
}

function malformed(problem: string, cause?: unknown): AleError {
  return new AleError({
    code: "malformed-file",
    message: `the board cannot be imported: ${problem}`,
    remedy:
      "give the published export: CSV with a header line, or JSON with the same fields, one object a row",
    cause,
  });
}
