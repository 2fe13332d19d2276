import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { utils, type WorkBook, write } from "@e965/xlsx";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTable } from "../table/read-table.ts";
import { compareCells } from "./compare-cells.ts";
import { findCells } from "./find-cells.ts";
import { formulaUse } from "./formula-use.ts";
import { checkLiveFormulas } from "./live-formulas.ts";
import { readWorkbook } from "./read-workbook.ts";
import { recalculateSpreadsheet, recalculateVariants } from "./recalculate-spreadsheet.ts";
import { shiftFormula } from "./shift-formula.ts";
import type { Workbook } from "./workbook.ts";
import { inspectWorkbook, workbookHealthOutcome } from "./workbook-health.ts";

const python = "/usr/bin/python3";
const hasOpenpyxl = spawnSync(python, ["-c", "import openpyxl"]).status === 0;
const hasLibreOffice = spawnSync("soffice", ["--version"]).status === 0;

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workbook-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function save(bytes: Uint8Array, ending = "xlsx"): Promise<string> {
  const path = join(folder, `${files++}.${ending}`);
  await writeFile(path, bytes);
  return path;
}

function sheetJs(workbook: WorkBook, bookType: "xlsx" | "ods" = "xlsx"): Uint8Array {
  return new Uint8Array(write(workbook, { type: "buffer", bookType }) as Buffer);
}

async function read(path: string): Promise<Workbook> {
  const result = await readWorkbook(path);
  if (result.kind === "bad") throw new TypeError(result.outcome.message);
  return result.value;
}

function budget(): WorkBook {
  const sheet = utils.aoa_to_sheet([
    ["Item", "Net", "Rate", "Gross"],
    ["Rent", 1000, 0.2, { t: "n", v: 1200, f: "B2*(1+C2)" }],
    ["Power", 200, 0.2, 240],
    ["Total", { t: "n", v: 1200, f: "SUM(B2:B3)" }, null, { t: "n", v: 1440, f: "SUM(D2:D3)" }],
  ]);
  const notes = utils.aoa_to_sheet([["hidden"], [{ t: "e", v: 0x17, w: "#REF!" }]]);
  return {
    SheetNames: ["Budget", "Notes"],
    Sheets: { Budget: sheet, Notes: notes },
    Workbook: {
      Sheets: [{ name: "Budget" }, { name: "Notes", Hidden: 1 }],
      Names: [{ Name: "VatRate", Ref: "Budget!$C$2" }],
    },
  };
}

describe("reading workbooks", () => {
  test.each(["xlsx", "ods"] as const)("values and formulas of %s are those written", async (bookType) => {
    const workbook = await read(await save(sheetJs(budget(), bookType), bookType));
    expect(workbook.format).toBe(bookType);
    const cells = workbook.sheets[0]?.cells;
    expect(cells?.get("A2")?.value).toEqual({ kind: "text", value: "Rent" });
    expect(cells?.get("D3")).toMatchObject({ value: { kind: "number", value: 240 } });
    expect(cells?.get("D4")).toMatchObject({ value: { kind: "number", value: 1440 }, formula: "SUM(D2:D3)" });
    const scored = compareCells(workbook, {
      sheet: "budget",
      cells: { B2: 1000, A4: "Total", C4: null, D3: 1 },
    });
    expect(scored.score).toBe(0.75);
  });

  test("hidden sheets, errors, names and hard-coded numbers are found", async () => {
    const workbook = await read(await save(sheetJs(budget())));
    expect(inspectWorkbook(workbook)).toMatchObject({
      hiddenSheets: ["Notes"],
      errorCells: [{ cell: "Notes!A2", error: "#REF!" }],
      formulas: 3,
    });
    expect(workbook.definedNames).toEqual([{ name: "VatRate", refersTo: "Budget!$C$2", hidden: false }]);
    expect(workbookHealthOutcome(workbook).score).toBe(0);
    expect(formulaUse(workbook, { sheet: "Budget", range: "D2:D4" })).toMatchObject({
      score: 2 / 3,
      evidence: [{ cell: "D3", holds: "a constant number" }],
    });
  });

  test("relative references move with a copied formula", () => {
    expect(shiftFormula(`A1+$B$2&"A1"&'A1'!C$3+LOG10(A1)`, 1, 2)).toBe(`C2+$B$2&"A1"&'A1'!E$3+LOG10(C2)`);
    expect(shiftFormula("A1", -1, 0)).toBe("#REF!");
  });

  test.skipIf(!hasOpenpyxl)(
    "dates, formats, shared formulas and links are as openpyxl reads or writes them (needs openpyxl)",
    async () => {
      const path = join(folder, "openpyxl.xlsx");
      const script = `
import sys, datetime, openpyxl
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Data"
sheet["A1"] = datetime.datetime(2024, 2, 29, 13, 30)
sheet["A2"] = datetime.date(1999, 12, 31)
sheet["B1"] = 0.5
sheet["B1"].number_format = "0.00%"
sheet["B2"] = "caf\\u00e9 & <b>"
sheet["C1"] = "=B1*2"
sheet["D1"] = True
secret = book.create_sheet("Secret")
secret.sheet_state = "veryHidden"
book.save(sys.argv[1])`;
      expect(spawnSync(python, ["-c", script, path]).status).toBe(0);
      const workbook = await read(path);
      const cells = workbook.sheets[0]?.cells;
      expect(cells?.get("A1")?.value).toEqual({ kind: "date", value: "2024-02-29T13:30:00" });
      expect(cells?.get("A2")?.value).toEqual({ kind: "date", value: "1999-12-31" });
      expect(cells?.get("B1")?.numberFormat).toBe("0.00%");
      expect(cells?.get("B2")?.value).toEqual({ kind: "text", value: "café & <b>" });
      expect(cells?.get("C1")).toMatchObject({ formula: "B1*2", value: { kind: "empty" } });
      expect(cells?.get("D1")?.value).toEqual({ kind: "boolean", value: true });
      expect(workbook.sheets[1]?.visibility).toBe("very-hidden");
    },
  );

  test("any grid of texts and numbers reads as SheetJS wrote it", async () => {
    const value = fc.oneof(
      fc.string({ minLength: 1, unit: fc.constantFrom("a", "<", "&", '"', " ", "é", "x") }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 }), async (rows) => {
        const book = { SheetNames: ["S"], Sheets: { S: utils.aoa_to_sheet(rows.map((row) => [...row])) } };
        const cells = (await read(await save(sheetJs(book)))).sheets[0]?.cells;
        const found = rows.map((_row, index) =>
          ["A", "B"].map((column) => cells?.get(`${column}${index + 1}`)?.value),
        );
        const plain = found.map((row) =>
          row.map((cell) => (cell === undefined || cell.kind === "empty" ? "" : cell.value)),
        );
        expect(plain).toEqual(rows.map((row) => row.map((cell) => (cell === 0 ? 0 : cell))));
      }),
      { numRuns: 30 },
    );
  });

  test("a sheet is a table, with its dates and gaps", async () => {
    const table = await readTable(await save(sheetJs(budget())), { sheet: "Budget" });
    if (table.kind === "bad") throw new TypeError(table.outcome.message);
    expect(table.value.header).toEqual(["Item", "Net", "Rate", "Gross"]);
    const rows: unknown[] = [];
    expect(await table.value.visitRows((row) => rows.push(row))).toEqual({ kind: "ok", value: 3 });
    expect(rows[2]).toEqual(["Total", 1200, null, 1440]);
  });
});

describe("hostile workbooks", () => {
  const sheetXml = (data: string): Record<string, Uint8Array> => ({
    "_rels/.rels": strToU8(
      `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="w.xml"/></Relationships>`,
    ),
    "w.xml": strToU8(`<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>`),
    "_rels/w.xml.rels": strToU8(
      `<Relationships><Relationship Id="a" Type="x/worksheet" Target="s.xml"/></Relationships>`,
    ),
    "s.xml": strToU8(`<worksheet><sheetData>${data}</sheetData></worksheet>`),
  });
  const ods = (rows: string): Record<string, Uint8Array> => ({
    "content.xml": strToU8(`<d><spreadsheet><table name="S">${rows}</table></spreadsheet></d>`),
  });

  test.each([
    ["unclosed XML", sheetXml(`<row r="1"><c r="A1"><v>1</v>`)],
    ["a cell beyond every sheet", sheetXml(`<row r="1"><c r="ZZZ1"><v>1</v></c></row>`)],
    ["a text it does not hold", sheetXml(`<row r="1"><c r="A1" t="s"><v>9</v></c></row>`)],
    ["an entity bomb", { ...sheetXml(""), "s.xml": strToU8(`<!DOCTYPE a [<!ENTITY b "bb">]><worksheet/>`) }],
    [
      "seventeen billion repeated cells",
      ods(
        `<table-row number-rows-repeated="1048576"><table-cell number-columns-repeated="16384" value-type="float" value="1"/></table-row>`,
      ),
    ],
    ["bottomless nesting", sheetXml("<x>".repeat(5000))],
    ["no workbook at all", { "a.txt": strToU8("hello") }],
  ])("%s makes a workbook bad", async (_name, parts) => {
    const result = await readWorkbook(await save(zipSync(parts)));
    expect(result).toMatchObject({ kind: "bad", outcome: { score: 0 } });
  });

  test("a bomb is refused before it is unpacked", async () => {
    const parts = { ...sheetXml(""), "s.xml": new Uint8Array(40_000_000) };
    const result = await readWorkbook(await save(zipSync(parts)), { maxUnpackedBytes: 10_000_000 });
    expect(result).toMatchObject({
      kind: "bad",
      outcome: { message: expect.stringMatching(/unpacks to too much/) },
    });
  });
});

describe.skipIf(!hasLibreOffice)("recalculating (needs LibreOffice)", () => {
  test.each(["xlsx", "ods"] as const)(
    "formulas of %s answer to edits, pasted numbers do not",
    async (bookType) => {
      const path = await save(sheetJs(budget(), bookType), bookType);
      const edits = [{ sheet: "Budget", cell: "B2", value: 2000 }];
      const outcome = await checkLiveFormulas({
        path,
        edits,
        scratch: folder,
        cells: [
          { sheet: "Budget", range: "D2:D3" },
          { sheet: "Budget", range: "B4", expected: 2200 },
          { sheet: "Budget", range: "D4", expected: 9 },
        ],
      });
      expect(outcome).toMatchObject({
        score: 0.5,
        evidence: [
          { cell: "Budget!D3", why: "is not a formula over other cells" },
          { cell: "Budget!D4", why: "shows 2640 once its inputs change" },
        ],
      });
    },
  );

  test("stale results give way to recalculated ones", async () => {
    const sheet = utils.aoa_to_sheet([[1, { t: "n", v: 999, f: "A1+1" }]]);
    const path = await save(sheetJs({ SheetNames: ["S"], Sheets: { S: sheet } }));
    const result = await recalculateSpreadsheet({ path, scratch: folder });
    if (result.kind === "bad") throw new TypeError(result.outcome.message);
    expect(compareCells(result.value.before, { sheet: "S", cells: { B1: 2 } }).score).toBe(1);
  });

  test("several sets of edits are each made on the workbook as it is", async () => {
    const path = await save(sheetJs(budget()));
    const result = await recalculateVariants({
      path,
      scratch: folder,
      variants: [[{ sheet: "Budget", cell: "B2", value: 2000 }], [{ sheet: "Budget", cell: "C2", value: 3 }]],
    });
    if (result.kind === "bad") throw new TypeError(result.outcome.message);
    const { before, variants } = result.value;
    const cells = [before, ...variants].map((one) => findCells(one, "Budget", "B2:C2"));
    expect(cells.map((found) => found.kind === "ok" && found.value.map(({ value }) => value))).toEqual([
      cells[0]?.kind === "ok" && cells[0].value.map(({ value }) => value),
      [{ kind: "number", value: 2000 }, cells[0]?.kind === "ok" && cells[0].value[1]?.value],
      [cells[0]?.kind === "ok" && cells[0].value[0]?.value, { kind: "number", value: 3 }],
    ]);
  });

  test("a program that is not there is the operator's mistake", async () => {
    const path = await save(sheetJs(budget()));
    await expect(
      recalculateSpreadsheet({ path, scratch: folder, program: "no-such-office" }),
    ).rejects.toMatchObject({
      code: "program-missing",
    });
  });
});
