import { gunzipSync, gzipSync } from "node:zlib";
import { read, utils, write } from "@e965/xlsx";
import { Document, Packer, Paragraph, Table, TableCell, TableRow } from "docx";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../contract/random.ts";
import { changeValue } from "./change-value.ts";
import { mutationOperators } from "./mutation-operators.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const workbook = (() => {
  const sheet = utils.aoa_to_sheet([
    ["item", "price"],
    ["Screws", 12.5],
    ["Nails", 3],
    ["sum", { t: "n", v: 15.5, f: "B2+B3" }],
  ]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "Prices");
  return new Uint8Array(write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
})();
const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });
const document = new Uint8Array(
  await Packer.toBuffer(
    new Document({
      sections: [
        {
          children: [
            new Paragraph("Clause 4 binds both parties."),
            new Table({ rows: [new TableRow({ children: [cell("Fee"), cell("1200")] })] }),
          ],
        },
      ],
    }),
  ),
);

const vcf = `##fileformat=VCFv4.2
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS1
chr1\t1000\t.\tA\tG\t50\tPASS\t.\tGT:DP\t0/1:30
chr1\t2000\t.\tC\tT\t50\tPASS\t.\tGT:DP\t1|1:25
`;

const samples: readonly (readonly [string, Uint8Array])[] = [
  ["table.csv", encode('id,name,amount\n1,"Smith, J.",10.50\n2,Jones,7.00\n3,Brown,-3.25\n')],
  ["table.tsv", encode("id\tvalue\n1\t2\n3\t4\n")],
  ["deep.json", encode('{"a":{"b":[1,2.5,true,"text",null]},"c":"d"}')],
  ["calls.vcf", encode(vcf)],
  ["calls.vcf.gz", new Uint8Array(gzipSync(vcf))],
  ["book.xlsx", workbook],
  ["letter.docx", document],
  ["notes.md", encode("# Findings\n\nThe total is 42.7 for 3 sites.\n")],
  [
    "board-F_Cu.gbr",
    encode("G04 Created 2026*\n%FSLAX46Y46*%\n%ADD10C,0.25*%\nX100Y-200D02*\nX300Y-200D01*\nM02*\n"),
  ],
  ["board.drl", encode("M48\n; made 2026\nMETRIC\nT1C0.400\n%\nT1\nX18.0Y-13.5\nM30\n")],
  [
    "board.kicad_pcb",
    encode("(kicad_pcb (version 20211014)\n  (segment (start 1 2) (end 3 2) (width 0.25) (net 1))\n)\n"),
  ],
  [
    "poster.svg",
    encode(
      '<svg width="9mm"><g id="g7">\n<rect id="r1" x="3" width="4" style="fill:#102030"/>\n<text style="font-size:5px">Hi</text></g></svg>\n',
    ),
  ],
  ["photo.bin", Uint8Array.from({ length: 256 }, (_, index) => index)],
];

describe("mutations", () => {
  test("of a drawing touch what is seen: not its ids, not its page", () => {
    const bytes = samples.find(([sample]) => sample === "poster.svg")?.[1] ?? encode("");
    for (const operator of mutationOperators("poster.svg", bytes).slice(0, -2)) {
      for (let seed = 0; seed < 20; seed++) {
        const mutant = operator(bytes, createRandom(seed));
        expect(mutant && decode(mutant.bytes)).toMatch(/^<svg width="9mm"><g id="g7">\n(<rect id="r1"|\n)/);
      }
    }
  });

  test("leave comments and settings of plots and boards alone", () => {
    const kept = [
      /^G04 Created 2026\*\n%FS/,
      /^M48\n; made 2026\nMETRIC/,
      /^\(kicad_pcb \(version 20211014\)\n/,
    ];
    for (const [index, name] of ["board-F_Cu.gbr", "board.drl", "board.kicad_pcb"].entries()) {
      const bytes = samples.find(([sample]) => sample === name)?.[1] ?? encode("");
      // The last two empty the file or cut it off.
      for (const operator of mutationOperators(name, bytes).slice(0, -2)) {
        for (let seed = 0; seed < 20; seed++) {
          const mutant = operator(bytes, createRandom(seed));
          expect(mutant && decode(mutant.bytes)).toMatch(kept[index] as RegExp);
        }
      }
    }
  });

  test.each(samples)("of %s change something, and the same seed changes the same", (name, bytes) => {
    for (const [index, operator] of mutationOperators(name, bytes).entries()) {
      for (let seed = 0; seed < 20; seed++) {
        const mutant = operator(bytes, createRandom(seed));
        expect(mutant, `operator ${index}`).toBeDefined();
        expect(Buffer.compare(mutant?.bytes ?? bytes, bytes), mutant?.what).not.toBe(0);
        expect(operator(bytes, createRandom(seed))).toEqual(mutant);
      }
    }
  });

  test("of a workbook leave a workbook that opens, of a document and of an archive likewise", () => {
    const opened = { workbook: 0, document: 0, variants: 0 };
    for (let seed = 0; seed < 10; seed++) {
      for (const operator of mutationOperators("b.xlsx", workbook).slice(0, 4)) {
        const bytes = operator(workbook, createRandom(seed))?.bytes ?? new Uint8Array();
        opened.workbook += read(bytes).SheetNames.length;
      }
      for (const operator of mutationOperators("d.docx", document).slice(0, 3)) {
        const bytes = operator(document, createRandom(seed))?.bytes ?? new Uint8Array();
        opened.document += decode(unzipSync(bytes)["word/document.xml"] ?? new Uint8Array()).includes(
          "</w:document>",
        )
          ? 1
          : 0;
      }
      const packed = new Uint8Array(gzipSync(vcf));
      for (const operator of mutationOperators("v.vcf.gz", packed).slice(0, 5)) {
        const bytes = operator(packed, createRandom(seed))?.bytes ?? new Uint8Array();
        opened.variants += gunzipSync(bytes).toString().startsWith("##fileformat") ? 1 : 0;
      }
    }
    expect(opened).toEqual({ workbook: 40, document: 30, variants: 50 });
  });

  test("a workbook's formula can be replaced by the value it shows", () => {
    const operator = mutationOperators("b.xlsx", workbook)[2];
    const sheet = read(operator?.(workbook, createRandom(1))?.bytes).Sheets["Prices"];
    expect(sheet?.["B4"]).toMatchObject({ v: 15.5 });
    expect(sheet?.["B4"]).not.toHaveProperty("f");
  });

  test("a changed value is always another value, and a number stays a number with as many decimals", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer(), (text, seed) => {
        expect(changeValue(text, createRandom(seed))).not.toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(4), fc.integer(), (whole, decimals, seed) => {
        const text = (whole / 10 ** decimals).toFixed(decimals);
        const changed = changeValue(text, createRandom(seed));
        expect(Number(changed)).not.toBe(Number(text));
        expect(changed.split(".")[1]?.length ?? 0).toBe(decimals);
      }),
    );
  });

  test("no bytes, whatever they call themselves, make an operator throw", () => {
    const names = samples.map(([name]) => name).filter((name) => !name.endsWith(".gz"));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...names), (bytes, name) => {
        for (const operator of mutationOperators(name, bytes)) operator(bytes, createRandom(1));
      }),
      { numRuns: 500 },
    );
  });
});
