import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { ArtifactPreview } from "../api/artifact-preview.ts";
import { clipRow, rowsShown } from "./clip-row.ts";

/** The first rows of a Parquet file. Throws for a file that is none. */
export async function parquetPreview(path: string): Promise<ArtifactPreview> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
  const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: 0, rowEnd: rowsShown });
  return {
    kind: "table",
    tables: [
      {
        name: "",
        rows: [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))].map(clipRow),
        totalRows: Number(metadata.num_rows) + 1,
      },
    ],
  };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object") return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}
