import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DeletedTextRun,
  Document,
  HeadingLevel,
  InsertedTextRun,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import { zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { previewFile } from "./preview-file.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-preview-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function preview(name: string, bytes: Uint8Array | string): Promise<unknown> {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return previewFile(path);
}

test("a word processor's document is shown as headings, words, tracked changes, lists and tables", async () => {
  const change = { id: 1, author: "A", date: "2026-01-01T00:00:00Z" };
  const file = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: "Lease & terms", heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun("The rent is "),
              new TextRun({ text: "due", bold: true }),
              new DeletedTextRun({ text: " monthly", ...change }),
              new InsertedTextRun({ text: " weekly", ...change }),
            ],
          }),
          new Paragraph({ text: "keys", bullet: { level: 1 } }),
          new Table({
            rows: [
              new TableRow({
                children: ["1", "<2>"].map((text) => new TableCell({ children: [new Paragraph(text)] })),
              }),
            ],
          }),
        ],
      },
    ],
  });
  expect(await preview("lease.docx", await Packer.toBuffer(file))).toEqual({
    kind: "document",
    clipped: false,
    blocks: [
      { kind: "paragraph", heading: 1, spans: [{ text: "Lease & terms" }] },
      {
        kind: "paragraph",
        spans: [
          { text: "The rent is " },
          { text: "due", bold: true },
          { text: " monthly", struck: true },
          { text: " weekly", added: true },
        ],
      },
      { kind: "paragraph", list: { level: 1, ordered: false }, spans: [{ text: "keys" }] },
      { kind: "table", rows: [[[{ text: "1" }], [{ text: "<2>" }]]] },
    ],
  });
});

test("a presentation is shown slide by slide, in the order of their numbers", async () => {
  const slide = (text: string): Uint8Array =>
    Buffer.from(`<p:sld><a:p><a:r><a:rPr b="1"/><a:t>${text}</a:t></a:r></a:p></p:sld>`);
  const bytes = zipSync({ "ppt/slides/slide10.xml": slide("ten"), "ppt/slides/slide2.xml": slide("two") });
  expect(await preview("talk.pptx", bytes)).toMatchObject({
    kind: "document",
    blocks: [
      { spans: [{ text: "2" }] },
      { spans: [{ text: "two", bold: true }] },
      { spans: [{ text: "10" }] },
      {},
    ],
  });
});

test("a Parquet file is shown by its first rows", async () => {
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: "name", data: Array.from({ length: 300 }, (_, row) => `row ${row}`), type: "STRING" },
      { name: "count", data: Array.from({ length: 300 }, (_, row) => BigInt(row)), type: "INT64" },
    ],
  });
  const shown = (await preview("table.parquet", new Uint8Array(bytes))) as {
    readonly tables: readonly { readonly rows: readonly string[][]; readonly totalRows: number }[];
  };
  expect(shown.tables[0]?.rows.slice(0, 2)).toEqual([
    ["name", "count"],
    ["row 0", "0"],
  ]);
  expect([shown.tables[0]?.rows.length, shown.tables[0]?.totalRows]).toEqual([101, 301]);
});

test.each(["broken.docx", "broken.pptx", "broken.parquet", "broken.xlsx"])(
  "%s that is nothing of the kind is said so",
  async (name) => {
    expect(await preview(name, "PK\u0003\u0004 nothing")).toMatchObject({ kind: "none" });
  },
);

test("a document that unpacks to more than anyone would write is not unpacked", async () => {
  const bomb = zipSync({ "word/document.xml": new Uint8Array(64 * 1024 * 1024) });
  expect(await preview("bomb.docx", bomb)).toEqual({ kind: "none", reason: "it holds no document" });
});
