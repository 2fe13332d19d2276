import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CommentRangeEnd,
  CommentRangeStart,
  DeletedTextRun,
  Document,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  InsertedTextRun,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareHeadings, headingsOf } from "./compare-headings.ts";
import type { DocxDocument } from "./docx-document.ts";
import { findText } from "./find-text.ts";
import { blocksText, type ReadDocxOptions, readDocx } from "./read-docx.ts";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docx-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function save(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.docx`);
  await writeFile(path, bytes);
  return path;
}

async function read(path: string, options?: ReadDocxOptions): Promise<DocxDocument> {
  const result = await readDocx(path, options);
  if (result.kind === "bad") throw new TypeError(result.outcome.message);
  return result.value;
}

const wordMl = (body: string): Record<string, Uint8Array> => ({
  "_rels/.rels": strToU8(
    `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="d.xml"/></Relationships>`,
  ),
  "d.xml": strToU8(`<w:document><w:body>${body}</w:body></w:document>`),
});

function contract(): Document {
  const change = { id: 1, author: "Ada", date: "2024-05-01T00:00:00Z" };
  return new Document({
    comments: { children: [{ id: 0, author: "Bo", date: new Date(0), children: [new Paragraph("Why?")] }] },
    footnotes: { 1: { children: [new Paragraph("See annex.")] } },
    numbering: {
      config: [{ reference: "steps", levels: [{ level: 0, format: "decimal", text: "%1." }] }],
    },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph("Confidential")] }) },
        children: [
          new Paragraph({ text: "Terms", heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun("Payment within "),
              new DeletedTextRun({ text: "30", ...change }),
              new InsertedTextRun({ text: "45", ...change, id: 2 }),
              new CommentRangeStart(0),
              new TextRun(" days"),
              new CommentRangeEnd(0),
              new FootnoteReferenceRun(1),
            ],
          }),
          new Paragraph({ text: "Sign", numbering: { reference: "steps", level: 0 } }),
          new Paragraph({ text: "Post", bullet: { level: 1 } }),
          new Table({
            rows: [
              ["Party", "Share"],
              ["Acme", "60 %"],
            ].map(
              (row) =>
                new TableRow({
                  children: row.map((text) => new TableCell({ children: [new Paragraph(text)] })),
                }),
            ),
          }),
          new Paragraph({ text: "Liability", heading: HeadingLevel.HEADING_2 }),
        ],
      },
    ],
  });
}

describe("reading Word documents", () => {
  test("text, headings, lists, tables, changes, comments, notes and headers are those written", async () => {
    const path = await save(await Packer.toBuffer(contract()));
    const document = await read(path);
    expect(document.body).toMatchObject([
      { text: "Terms", headingLevel: 1 },
      { text: "Payment within 45 days" },
      { text: "Sign", list: { kind: "numbered", level: 0 } },
      { text: "Post", list: { kind: "bulleted", level: 1 } },
      {
        kind: "table",
        rows: [
          ["Party", "Share"],
          ["Acme", "60 %"],
        ],
      },
      { text: "Liability", headingLevel: 2 },
    ]);
    expect(document.revisions).toEqual([
      { kind: "deletion", author: "Ada", date: "2024-05-01T00:00:00Z", text: "30" },
      { kind: "insertion", author: "Ada", date: "2024-05-01T00:00:00Z", text: "45" },
    ]);
    expect(document.comments).toMatchObject([{ author: "Bo", text: "Why?", about: " days" }]);
    expect(document.notes).toEqual(["See annex."]);
    expect(document.headers).toEqual(["Confidential"]);
    const rejected = await read(path, { revisions: "rejected" });
    expect(rejected.body[1]).toMatchObject({ text: "Payment within 30 days" });
  });

  test("paragraphs whose end is deleted run on, deleted rows are gone", async () => {
    const path = await save(
      zipSync(
        wordMl(
          `<w:p><w:pPr><w:rPr><w:del w:author="A"/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p>` +
            `<w:p><w:r><w:t>two</w:t></w:r></w:p><w:tbl><w:tr><w:trPr><w:del w:author="A"/></w:trPr>` +
            `<w:tc><w:p><w:del w:author="A"><w:r><w:delText>x</w:delText></w:r></w:del></w:p></w:tc></w:tr></w:tbl>`,
        ),
      ),
    );
    expect(blocksText((await read(path)).body)).toBe("one two");
    expect(blocksText((await read(path, { revisions: "rejected" })).body)).toBe("one \ntwo\nx");
  });

  test("any paragraphs come back in order", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "<", "&", '"', "中", "b") });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const document = new Document({ sections: [{ children: texts.map((each) => new Paragraph(each)) }] });
        const { body } = await read(await save(await Packer.toBuffer(document)));
        expect(body.map((block) => blocksText([block]))).toEqual(texts);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ["a cut-off file", strToU8("PK\u0003\u0004rest")],
    [
      "a document without its body's end",
      zipSync({ ...wordMl(""), "d.xml": strToU8("<w:document><w:body>") }),
    ],
    [
      "an entity bomb",
      zipSync({ ...wordMl(""), "d.xml": strToU8(`<!DOCTYPE x [<!ENTITY a "aa">]><w:document/>`) }),
    ],
    ["another kind of package", zipSync({ "content.xml": strToU8("<a/>") })],
  ])("%s is bad", async (_name, bytes) => {
    expect(await readDocx(await save(bytes))).toMatchObject({ kind: "bad", outcome: { score: 0 } });
  });
});

describe("headings", () => {
  test("a missing, a displaced and a surplus heading cost, numbering does not", async () => {
    const expected = headingsOf((await read(await save(await Packer.toBuffer(contract())))).body);
    expect(expected).toEqual([
      { level: 1, text: "Terms" },
      { level: 2, text: "Liability" },
    ]);
    const numbered = [
      { level: 1, text: "1. TERMS" },
      { level: 2, text: "1.1 Liability" },
    ];
    expect(compareHeadings({ actual: numbered, expected }).score).toBe(1);
    expect(compareHeadings({ actual: numbered.toReversed(), expected }).score).toBe(0.5);
    expect(compareHeadings({ actual: numbered.slice(1), expected }).score).toBeCloseTo(2 / 3, 12);
    expect(compareHeadings({ actual: [], expected }).score).toBe(0);
  });
});

describe("finding quotations", () => {
  test("line breaks, hyphenation, quotation marks and pages do not hide one", () => {
    const pages = ["The sup-\nplier shall “deliver”", "all long-\nterm\n  goods."];
    expect(findText(pages, 'supplier shall "deliver" all')).toEqual({ kind: "found", piece: 0 });
    expect(findText(pages, "LONG-TERM goods")).toEqual({ kind: "found", piece: 1 });
    expect(findText(pages, "supplier may")).toEqual({ kind: "absent" });
    expect(findText(pages, " ")).toEqual({ kind: "absent" });
  });

  test("any stretch of a text is found in it, wherever its lines break", () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "ﬁ", "-", "'"), minLength: 1 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (all, from, count) => {
        const start = from % all.length;
        const part = all.slice(start, start + 1 + (count % all.length));
        const quotation = part.join(" ");
        fc.pre(/[^-\s]/.test(quotation));
        // A hyphen at a line's end joins, so only lines that do not end in one break at will.
        fc.pre(all.every((word) => !word.endsWith("-")));
        expect(findText(all.join("\n"), quotation).kind).toBe("found");
      }),
    );
  });
});
