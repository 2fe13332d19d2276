import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact } from "ale/grade/rubric/read-artifact";
import { readTable } from "ale/grade/table/read-table";

export type TableRow = Readonly<Record<string, string>>;

const limits = { maxBytes: 4 * 1024 ** 2, maxRows: 20_000, maxColumns: 40 };

/** The rows of a CSV an agent wrote, by column name; bad when a named column is missing or there are no rows. */
export async function readTableRows(
  dir: string,
  name: string,
  columns: readonly string[],
): Promise<Read<readonly TableRow[]>> {
  const path = await locateArtifact(dir, name);
  if (path.kind === "bad") return path;
  const table = await readTable(path.value, { format: "csv", limits });
  if (table.kind === "bad") return table;
  const header = table.value.header.map((column) => column.trim().toLowerCase());
  const absent = columns.filter((column) => !header.includes(column));
  if (absent.length > 0) return bad(`${name} lacks the columns ${absent.join(", ")}.`);
  const rows: TableRow[] = [];
  const count = await table.value.visitRows((row) =>
    rows.push(
      Object.fromEntries(columns.map((column) => [column, String(row[header.indexOf(column)] ?? "").trim()])),
    ),
  );
  if (count.kind === "bad") return count;
  return rows.length === 0 ? bad(`${name} has no rows.`) : ok(rows);
}
