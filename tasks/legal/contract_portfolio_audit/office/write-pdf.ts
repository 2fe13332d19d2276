import type { PDFFont, PDFPage } from "pdf-lib";
import type { Block, PageContent } from "./page-content.ts";

const page = { width: 595, height: 842, left: 64, right: 531, top: 770, bottom: 70 };
const indent = 42;
const size = 10;
const lineHeight = 13;

/** A PDF with running heads and page numbers; a paragraph never runs over two pages. The same content, the same bytes. */
export async function writePdf(content: PageContent, dated: string): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import("pdf-lib");
  const file = await PDFDocument.create({ updateMetadata: false });
  const date = new Date(`${dated}T12:00:00Z`);
  file.setTitle(content.running);
  file.setProducer("Scan and Archive");
  file.setCreationDate(date);
  file.setModificationDate(date);
  const body = await file.embedFont(StandardFonts.TimesRoman);
  const bold = await file.embedFont(StandardFonts.TimesRomanBold);

  const sheets: PDFPage[] = [];
  let y = 0;
  for (const block of content.blocks) {
    const lines = layOut(block, body, bold);
    const height = lines.length * lineHeight;
    if (sheets.length === 0 || y - height < page.bottom) {
      sheets.push(file.addPage([page.width, page.height]));
      y = page.top;
    }
    for (const line of lines) {
      for (const { text, x, font } of line) sheets.at(-1)?.drawText(text, { x, y, size, font });
      y -= lineHeight;
    }
    y -= lineHeight;
  }
  for (const [index, sheet] of sheets.entries()) {
    sheet.drawText(content.running, { x: page.left, y: 806, size: 8, font: body });
    const foot = `Page ${index + 1} of ${sheets.length}`;
    sheet.drawText(foot, { x: page.right - body.widthOfTextAtSize(foot, 8), y: 40, size: 8, font: body });
  }
  return file.save({ useObjectStreams: false });
}

interface Placed {
  readonly text: string;
  readonly x: number;
  readonly font: PDFFont;
}

function layOut(block: Block, body: PDFFont, bold: PDFFont): readonly (readonly Placed[])[] {
  const width = page.right - page.left;
  switch (block.kind) {
    case "title": {
      const x = page.left + (width - bold.widthOfTextAtSize(block.text, size)) / 2;
      return [[{ text: block.text, x, font: bold }]];
    }
    case "plain":
      return wrap(block.text, body, width).map((text) => [{ text, x: page.left, font: body }]);
    case "heading":
      return numbered(`${block.number}.`, [block.text], bold);
    case "clause": {
      const text = block.runs.map((run) => run.text).join("");
      return numbered(block.number, wrap(text, body, width - indent), body);
    }
    case "table":
      return block.rows.flatMap((row, index) => tableRow(row, index === 0 ? bold : body));
  }
}

function numbered(number: string, lines: readonly string[], font: PDFFont): readonly (readonly Placed[])[] {
  return lines.map((text, index) => {
    const placed = { text, x: page.left + indent, font };
    return index === 0 ? [{ text: number, x: page.left, font }, placed] : [placed];
  });
}

/** Columns of one width; long cells take several lines. */
function tableRow(row: readonly string[], font: PDFFont): readonly (readonly Placed[])[] {
  const width = (page.right - page.left) / row.length;
  const cells = row.map((text) => wrap(text, font, width - 14));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells.flatMap((lines, column) =>
      lines[line] === undefined ? [] : [{ text: lines[line], x: page.left + column * width, font }],
    ),
  );
}

function wrap(text: string, font: PDFFont, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && font.widthOfTextAtSize(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
