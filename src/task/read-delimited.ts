import { CsvError, parse } from "csv-parse/sync";

/** The separator of a text table: a tab for `.tsv`, else a semicolon where the header has one before any comma. */
export function separatorOf(name: string, text: string): "," | ";" | "\t" {
  if (/\.(tsv|tab)$/i.test(name)) return "\t";
  return /^[^,\n]*;/.test(text) ? ";" : ",";
}

/** The rows of a text table, or `undefined` when it is none (a quote that never closes, say). */
export function readDelimited(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      bom: true,
      skip_empty_lines: true,
    }) as string[][];
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
