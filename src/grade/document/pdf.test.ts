import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findText } from "./find-text.ts";
import { pdfToText } from "./pdf-to-text.ts";
import { readPdf } from "./read-pdf.ts";

const hasPoppler = spawnSync("pdftotext", ["-v"]).status === 0;
let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pdf-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function save(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.pdf`);
  await writeFile(path, bytes);
  return path;
}

/** A PDF with one content stream a page, packed `layers` times. */
function pdf(pages: readonly Buffer[], layers = 1): Uint8Array {
  const ids = pages.map((_page, index) => 4 + 2 * index);
  const objects: Buffer[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${ids.map((id) => `${id} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ].map((text) => Buffer.from(text));
  for (const [index, page] of pages.entries()) {
    let content: Uint8Array = page;
    for (let layer = 0; layer < layers; layer++) content = deflateSync(content);
    const head = `<</Length ${content.length}/Filter[${"/FlateDecode".repeat(layers)}]>>\nstream\n`;
    objects.push(
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
      ),
      Buffer.concat([Buffer.from(head), content, Buffer.from("\nendstream")]),
    );
  }
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]));
  }
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function draw(texts: readonly (readonly [x: number, y: number, text: string])[]): Buffer {
  return Buffer.from(texts.map(([x, y, text]) => `BT /F 12 Tf ${x} ${y} Td (${text}) Tj ET`).join("\n"));
}

const twoPages: readonly Buffer[] = [
  draw([
    [50, 700, "The tenant shall"],
    [50, 680, "pay the rent."],
  ]),
  draw([
    [50, 700, "Item"],
    [200, 700, "Price"],
    [50, 680, "Old desk"],
    [200, 680, "12.50"],
  ]),
];

describe("reading PDF", () => {
  test("text comes page by page, tables by position", async () => {
    const result = await readPdf(await save(pdf(twoPages)));
    if (result.kind === "bad") throw new TypeError(result.outcome.message);
    const { pages, rows, outline } = result.value;
    expect(pages).toHaveLength(2);
    expect(findText(pages, "tenant shall pay the rent")).toEqual({ kind: "found", piece: 0 });
    expect(rows[1]).toEqual([
      ["Item", "Price"],
      ["Old desk", "12.50"],
    ]);
    expect(outline).toEqual([]);
  });

  test.skipIf(!hasPoppler)("Poppler reads the same words (needs pdftotext)", async () => {
    const path = await save(pdf(twoPages));
    const [ours, theirs] = [await readPdf(path), await pdfToText(path)];
    if (ours.kind === "bad" || theirs.kind === "bad") throw new TypeError("unreadable");
    const words = (page: string): string[] =>
      page
        .split(/\s+/)
        .filter((word) => word !== "")
        .sort();
    expect(ours.value.pages.map(words)).toEqual(theirs.value.map(words));
    expect((await pdfToText(await save(Buffer.from("no")))).kind).toBe("bad");
  });

  test.each([1, 2])("a stream that unpacks to gigabytes, packed %i times, is refused", async (layers) => {
    const result = await readPdf(await save(pdf([Buffer.alloc(150 * 1024 * 1024)], layers)));
    expect(result).toMatchObject({
      kind: "bad",
      outcome: { message: expect.stringMatching(/unpacks to too much/) },
    });
  });

  test("what is no PDF, is cut off or missing is bad", async () => {
    for (const bytes of [Buffer.from("hello"), pdf(twoPages).subarray(0, 60), Buffer.alloc(0)]) {
      expect(await readPdf(await save(bytes))).toMatchObject({ kind: "bad", outcome: { score: 0 } });
    }
    expect((await readPdf(join(folder, "absent.pdf"))).kind).toBe("bad");
  });
});
