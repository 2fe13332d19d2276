import { execFileSync } from "node:child_process";
import type { Paragraph } from "./paragraph.ts";

/** The paragraphs of a PDF as its layout shows them; running heads and page numbers are left out. */
export function readPdf(path: string): readonly Paragraph[] {
  const text = execFileSync("pdftotext", ["-layout", "-enc", "UTF-8", path, "-"], { encoding: "utf8" });
  const pages = text.split("\f").filter((page) => page.trim() !== "");
  return pages.flatMap((page) => {
    const lines = page.split("\n").slice(1);
    const body = lines.filter((line) => !/^\s*Page \d+ of \d+\s*$/.test(line));
    return body
      .join("\n")
      .split(/\n[ \t]*\n+/)
      .flatMap((block) => paragraphsOf(block));
  });
}

function paragraphsOf(block: string): readonly Paragraph[] {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return [];
  if (/^\s*Charge {2,}Amount/.test(lines[0] as string)) return tableRows(lines);
  const text = lines.map((line) => line.trim()).join(" ");
  const numbered = /^(\d+[A-Z]?(?:\.\d+)?)\.? {2,}(.*)$/s.exec(text);
  return [
    numbered === null ? { number: "", text } : { number: numbered[1] as string, text: numbered[2] as string },
  ];
}

/** Rows of a table whose columns start where the header's do; a line with an empty first column goes on with the row above. */
function tableRows(lines: readonly string[]): readonly Paragraph[] {
  const header = lines[0] as string;
  const starts = [...header.matchAll(/(?<=^| {2})\S/g)].map((match) => match.index);
  const rows: string[][] = [];
  for (const line of lines) {
    const cells = starts.map((start, index) => line.slice(start, starts[index + 1]).trim());
    const above = rows.at(-1);
    const goesOn = above !== undefined && rows.length > 1 && (cells[0] === "" || cells[1] === "");
    if (!goesOn) rows.push(cells);
    else for (const [index, cell] of cells.entries()) above[index] = `${above[index]} ${cell}`.trim();
  }
  return rows.map((cells) => ({ number: "", text: cells.join(" | ") }));
}
