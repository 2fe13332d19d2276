import { readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import type { Paragraph } from "./paragraph.ts";

/**
 * The paragraphs of a Word document: tracked insertions left out and tracked deletions kept, numbers of automatic
 * lists counted as Word shows them, each table row a paragraph with its cells joined by ` | `.
 */
export function readDocx(path: string): readonly Paragraph[] {
  const parts = unzipSync(readFileSync(path));
  const xml = strFromU8(parts["word/document.xml"] as Uint8Array);
  const before = xml.replaceAll(/<w:ins\b.*?<\/w:ins>/gs, "").replaceAll("w:delText", "w:t");
  const counters = [0, 0];
  return [...before.matchAll(/<w:tr\b.*?<\/w:tr>|<w:p\b.*?<\/w:p>/gs)].map(([element]): Paragraph => {
    if (element.startsWith("<w:tr")) {
      const cells = [...element.matchAll(/<w:tc\b.*?<\/w:tc>/gs)].map(([cell]) => textOf(cell).trim());
      return { number: "", text: cells.join(" | ") };
    }
    const text = textOf(element).trim();
    const depth = /<w:numPr><w:ilvl w:val="(\d)"\/>/.exec(element)?.[1];
    if (depth === undefined) {
      const typed = /^(\d+[A-Z]?(?:\.\d+)?)\.?\t(.*)$/s.exec(text);
      return typed === null ? { number: "", text } : { number: typed[1] as string, text: typed[2] as string };
    }
    const at = Number(depth);
    counters[at] = (counters[at] ?? 0) + 1;
    if (at === 0) counters[1] = 0;
    return { number: counters.slice(0, at + 1).join("."), text };
  });
}

function textOf(xml: string): string {
  return [...xml.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:tab\/>/g)]
    .map(([, text]) => (text === undefined ? "\t" : text))
    .join("")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
