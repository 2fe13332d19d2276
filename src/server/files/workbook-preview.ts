import { readFile } from "node:fs/promises";
import * as xlsx from "@e965/xlsx";
import type { ArtifactPreview, TablePreview } from "../api/artifact-preview.ts";
import { clipRow, rowsShown } from "./clip-row.ts";

const workbookBytes = 40 * 1024 * 1024;
const sheetsShown = 12;

/** The first rows of a workbook's sheets, as displayed. Throws for a file that is no workbook. */
export async function workbookPreview(path: string): Promise<ArtifactPreview> {
  const bytes = await readFile(path);
  if (bytes.length > workbookBytes)
    return { kind: "none", reason: "the workbook is too large for a preview" };
  const book = xlsx.read(bytes, { sheetRows: rowsShown + 1, dense: true, cellHTML: false });
  const tables = book.SheetNames.slice(0, sheetsShown).map((name): TablePreview => {
    const sheet = book.Sheets[name] ?? {};
    const rows = xlsx.utils.sheet_to_json<readonly unknown[]>(sheet, { header: 1, raw: false, defval: "" });
    const range: unknown = sheet["!fullref"] ?? sheet["!ref"];
    const total = typeof range === "string" ? xlsx.utils.decode_range(range).e.r + 1 : rows.length;
    return { name, rows: rows.map((row) => clipRow(row.map(String))), totalRows: total };
  });
  return { kind: "table", tables };
}
