import { strToU8, zipSync } from "fflate";
import type { Block, PageContent, Run } from "./page-content.ts";

const main = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface DocxOptions {
  /** `automatic`: clause numbers come from a numbering list, as Word makes them, and are not in the text. */
  readonly numbering: "automatic" | "typed";
  /** When tracked changes were made, `YYYY-MM-DD`. */
  readonly changedOn: string;
}

/** A minimal Word document. The same content gives the same bytes. */
export function writeDocx(content: PageContent, options: DocxOptions): Uint8Array {
  const body = content.blocks.map((block) => blockXml(block, options)).join("");
  const section =
    `<w:sectPr><w:headerReference w:type="default" r:id="rId2"/>` +
    `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1304" w:bottom="1304" w:left="1304" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`;
  const parts: Record<string, string> = {
    "[Content_Types].xml":
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/word/document.xml" ContentType="${office}.document.main+xml"/>` +
      `<Override PartName="/word/numbering.xml" ContentType="${office}.numbering+xml"/>` +
      `<Override PartName="/word/header1.xml" ContentType="${office}.header+xml"/></Types>`,
    "_rels/.rels": relationships([["rId1", "officeDocument", "word/document.xml"]]),
    "word/_rels/document.xml.rels": relationships([
      ["rId1", "numbering", "numbering.xml"],
      ["rId2", "header", "header1.xml"],
    ]),
    "word/document.xml": `<w:document ${main} xmlns:r="${relations}"><w:body>${body}${section}</w:body></w:document>`,
    "word/header1.xml": `<w:hdr ${main}>${paragraph([{ text: content.running }], "", options)}</w:hdr>`,
    "word/numbering.xml":
      `<w:numbering ${main}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>` +
      `${level(0, "%1.")}${level(1, "%1.%2")}</w:abstractNum>` +
      `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(head + xml)] as const);
  return zipSync(Object.fromEntries(files), { mtime: "1980-01-01" });
}

function relationships(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  const items = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}

function level(index: number, text: string): string {
  return (
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/>` +
    `<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr></w:lvl>`
  );
}

function blockXml(block: Block, options: DocxOptions): string {
  switch (block.kind) {
    case "title":
      return paragraph([{ text: block.text }], '<w:jc w:val="center"/>', options, true);
    case "plain":
      return paragraph([{ text: block.text }], "", options);
    case "heading":
      return numbered(block.number, 0, [{ text: block.text }], options, true);
    case "clause":
      return numbered(block.number, 1, block.runs, options, false);
    case "table":
      return tableXml(block.rows, options);
  }
}

function numbered(
  number: string,
  depth: number,
  runs: readonly Run[],
  options: DocxOptions,
  bold: boolean,
): string {
  if (options.numbering === "automatic") {
    const list = `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`;
    return paragraph(runs, list, options, bold);
  }
  const [first, ...rest] = runs as readonly [Run, ...Run[]];
  const label = depth === 0 ? `${number}.` : number;
  const opened =
    first.change === undefined ? [{ text: `${label}\t${first.text}` }] : [{ text: `${label}\t` }, first];
  return paragraph([...opened, ...rest], '<w:ind w:left="720" w:hanging="720"/>', options, bold);
}

function paragraph(runs: readonly Run[], properties: string, options: DocxOptions, bold = false): string {
  const spaced = properties.startsWith("<w:numPr>")
    ? `${properties}<w:spacing w:after="120"/>`
    : `<w:spacing w:after="120"/>${properties}`;
  const inner = runs.map((run, index) => runXml(run, index, options, bold)).join("");
  return `<w:p><w:pPr>${spaced}</w:pPr>${inner}</w:p>`;
}

function runXml({ text, change }: Run, index: number, { changedOn }: DocxOptions, bold: boolean): string {
  const tag = change === "deleted" ? "w:delText" : "w:t";
  const pieces = text
    .split("\t")
    .map((piece) => (piece === "" ? "" : `<${tag} xml:space="preserve">${escapeXml(piece)}</${tag}>`))
    .join("<w:tab/>");
  const run = `<w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}${pieces}</w:r>`;
  if (change === undefined) return run;
  const element = change === "inserted" ? "w:ins" : "w:del";
  return `<${element} w:id="${900 + index}" w:author="Reviewer" w:date="${changedOn}T09:00:00Z">${run}</${element}>`;
}

function tableXml(rows: readonly (readonly string[])[], options: DocxOptions): string {
  const width = rows[0]?.length ?? 1;
  const grid = `<w:gridCol w:w="${Math.floor(9200 / width)}"/>`.repeat(width);
  const border = ["top", "left", "bottom", "right", "insideH", "insideV"]
    .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="808080"/>`)
    .join("");
  const lines = rows.map((row) => {
    const cells = row.map((text) => `<w:tc><w:tcPr/>${paragraph([{ text }], "", options)}</w:tc>`);
    return `<w:tr>${cells.join("")}</w:tr>`;
  });
  return `<w:tbl><w:tblPr><w:tblBorders>${border}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${lines.join("")}</w:tbl>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
