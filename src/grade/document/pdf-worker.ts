import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Heading } from "./compare-headings.ts";
import { findPdfBomb } from "./pdf-bomb.ts";
import type { PdfDocument } from "./pdf-document.ts";
import { type PlacedText, tableRows } from "./pdf-table.ts";

/** What the worker is started with. */
export interface PdfTask {
  readonly path: string;
  readonly maxPages: number;
}

/** Its one answer. */
export type PdfReply =
  | { readonly kind: "read"; readonly document: PdfDocument }
  | { readonly kind: "problem"; readonly message: string }
  | { readonly kind: "no-library" };

const maxPageItems = 200_000;
const maxOutline = 10_000;

async function read({ path, maxPages }: PdfTask): Promise<PdfReply> {
  const bytes = await readFile(path);
  const bomb = findPdfBomb(bytes);
  if (bomb !== undefined) return problem(bomb);
  let library: typeof import("unpdf");
  try {
    library = await import("unpdf");
  } catch {
    return { kind: "no-library" };
  }
  try {
    const pdf = await library.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    if (pdf.numPages > maxPages) return problem(`it has ${pdf.numPages} pages, at most ${maxPages} are read`);
    const pages: string[] = [];
    const rows: (readonly (readonly string[])[])[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      if (items.length > maxPageItems) return problem(`it has too much text on page ${number}`);
      const texts = items.filter((item) => "str" in item);
      pages.push(texts.map((item) => item.str + (item.hasEOL ? "\n" : "")).join(""));
      rows.push(tableRows(texts.map(toPlaced)));
      page.cleanup();
    }
    return { kind: "read", document: { pages, rows, outline: flatten(await pdf.getOutline()) } };
  } catch (error) {
    // The library's own complaints are about the file.
    return problem(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}

function problem(message: string): PdfReply {
  return { kind: "problem", message };
}

function toPlaced(item: { str: string; transform: unknown[]; width: number; height: number }): PlacedText {
  const [, , , , x, y] = item.transform;
  return { text: item.str, x: Number(x), y: Number(y), width: item.width, height: item.height };
}

interface OutlineItem {
  readonly title: string;
  readonly items: readonly OutlineItem[];
}

function flatten(items: readonly OutlineItem[] | null): readonly Heading[] {
  const headings: Heading[] = [];
  const waiting = (items ?? []).map((item) => ({ item, level: 1 })).reverse();
  for (let next = waiting.pop(); next !== undefined && headings.length < maxOutline; next = waiting.pop()) {
    const { item, level } = next;
    headings.push({ level, text: item.title.trim() });
    waiting.push(...item.items.map((child) => ({ item: child, level: level + 1 })).reverse());
  }
  return headings;
}

parentPort?.postMessage(await read(workerData as PdfTask));
