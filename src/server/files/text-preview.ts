import { open } from "node:fs/promises";
import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import type { ArtifactPreview, TablePreview } from "../api/artifact-preview.ts";
import { clipRow, rowsShown } from "./clip-row.ts";

const textBytes = 256 * 1024;
const jsonBytes = 1024 * 1024;

/** The beginning of a file of text: as rows where it is delimited, indented where it is JSON. */
export async function textPreview(path: string, kind: "table" | "json" | "text"): Promise<ArtifactPreview> {
  const ending = extname(path).toLowerCase();
  const limit = kind === "json" ? jsonBytes : textBytes;
  const { bytes, whole } = await head(path, limit);
  if (bytes.includes(0)) return { kind: "none", reason: "it is not text; open or save it" };
  const text = decode(bytes, whole);
  if (kind === "table") return { kind: "table", tables: [delimitedTable(text, whole, ending)] };
  if (kind === "json" && whole) return { kind: "json", text: prettyJson(text), clipped: false };
  return { kind: "text", text, clipped: !whole };
}

async function head(
  path: string,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly whole: boolean }> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, limit));
    await handle.read(bytes, 0, bytes.length, 0);
    return { bytes, whole: size <= limit };
  } finally {
    await handle.close();
  }
}

/** A text that was cut ends with its last whole line, so that no character is cut in two. */
function decode(bytes: Buffer, whole: boolean): string {
  const lastLine = whole ? bytes.length : bytes.lastIndexOf(10) + 1;
  return bytes
    .subarray(0, lastLine === 0 ? bytes.length : lastLine)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // Shown as it is: that it is no JSON is for the grader to say.
    return text;
  }
}

function delimitedTable(text: string, whole: boolean, ending: string): TablePreview {
  const [first = ""] = text.split("\n", 1);
  const semicolons = first.split(";").length > first.split(",").length;
  const rows = parse(text, {
    delimiter: ending === ".tsv" ? "\t" : semicolons ? ";" : ",",
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  return { name: "", rows: rows.slice(0, rowsShown + 1).map(clipRow), totalRows: whole ? rows.length : null };
}
