import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { PackageProblem } from "../document/xml-scanner.ts";
import { type CellPosition, formatAddress, parseAddress } from "./cell-address.ts";
import type { ExpectedValue } from "./compare-cells.ts";

/** A value put in place of whatever a cell holds; `null` empties it. */
export interface CellEdit {
  readonly part: string;
  readonly position: CellPosition;
  readonly value: ExpectedValue;
}

const maxUnpackedBytes = 512 * 1024 * 1024;

/**
 * An XLSX file, *as LibreOffice writes it* (every row and cell numbered, no prefixes), with some cells replaced. Styles
 * stay. Formulas that depend on them keep their old results until the file is recalculated.
 */
export function editCells(xlsx: Uint8Array, edits: readonly CellEdit[]): Uint8Array {
  let total = 0;
  const parts = unzipSync(xlsx, {
    filter: ({ originalSize }) => {
      total += originalSize;
      if (total > maxUnpackedBytes) throw new PackageProblem("it unpacks to too much");
      return true;
    },
  });
  for (const part of new Set(edits.map((edit) => edit.part))) {
    const bytes = parts[part];
    if (bytes === undefined) throw new PackageProblem("it lacks the part of one of its sheets");
    let xml = strFromU8(bytes);
    for (const edit of edits.filter((other) => other.part === part)) xml = editSheet(xml, edit);
    parts[part] = strToU8(xml);
  }
  return zipSync(parts, { level: 1 });
}

function editSheet(xml: string, { position, value }: CellEdit): string {
  const start = xml.indexOf("<sheetData");
  const open = xml.indexOf(">", start);
  if (xml[open - 1] === "/") {
    return `${xml.slice(0, open - 1)}>${rowXml(position, value)}</sheetData>${xml.slice(open + 1)}`;
  }
  const end = xml.indexOf("</sheetData>", open);
  const rows = /<row\b[^>]*?\br="(\d+)"[^>]*?(?:\/>|>)/g;
  rows.lastIndex = open + 1;
  for (let match = rows.exec(xml); match !== null && match.index < end; match = rows.exec(xml)) {
    const row = Number(match[1]) - 1;
    if (row > position.row) return insert(xml, match.index, rowXml(position, value));
    if (row < position.row) continue;
    const inside = match.index + match[0].length;
    if (match[0].endsWith("/>")) {
      return `${xml.slice(0, inside - 2)}>${cellXml(position, value, "")}</row>${xml.slice(inside)}`;
    }
    const close = xml.indexOf("</row>", inside);
    return xml.slice(0, inside) + editRow(xml.slice(inside, close), position, value) + xml.slice(close);
  }
  return insert(xml, end, rowXml(position, value));
}

function editRow(cells: string, position: CellPosition, value: ExpectedValue): string {
  for (const match of cells.matchAll(/<c\b([^>]*?)(?:\/>|>[\s\S]*?<\/c>)/g)) {
    const attributes = match[1] ?? "";
    const column = parseAddress(/\br="([^"]*)"/.exec(attributes)?.[1] ?? "")?.column ?? -1;
    if (column < position.column) continue;
    if (column > position.column) return insert(cells, match.index, cellXml(position, value, ""));
    const style = /\bs="\d+"/.exec(attributes)?.[0] ?? "";
    const after = cells.slice(match.index + match[0].length);
    return cells.slice(0, match.index) + cellXml(position, value, style) + after;
  }
  return cells + cellXml(position, value, "");
}

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function rowXml(position: CellPosition, value: ExpectedValue): string {
  return `<row r="${position.row + 1}">${cellXml(position, value, "")}</row>`;
}

function cellXml(position: CellPosition, value: ExpectedValue, style: string): string {
  const head = `<c r="${formatAddress(position)}" ${style}`;
  if (value === null) return `${head}/>`;
  if (typeof value === "number") return `${head}><v>${value}</v></c>`;
  if (typeof value === "boolean") return `${head} t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `${head} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}
