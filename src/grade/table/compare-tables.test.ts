import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompareTablesOptions, compareTables } from "./compare-tables.ts";
import type { ComparedTables } from "./table-comparison.ts";
import { tableOutcome } from "./table-outcome.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "compare-tables-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Rules = Omit<CompareTablesOptions, "actual" | "expected" | "scratch">;
let files = 0;

async function file(content: string | Uint8Array, ending = "csv"): Promise<string> {
  const path = join(folder, `${files++}.${ending}`);
  await writeFile(path, content);
  return path;
}

async function compared(expected: string, actual: string, rules: Rules): Promise<ComparedTables> {
  const sources = { expected: await file(expected), actual: await file(actual) };
  const comparison = await compareTables({ ...sources, scratch: folder, ...rules });
  if (comparison.kind === "bad") throw new TypeError(comparison.outcome.message);
  return comparison;
}

async function score(expected: string, actual: string, rules: Rules): Promise<number> {
  return tableOutcome(await compared(expected, actual, rules)).score;
}

const byId = { key: ["id"] };

describe("comparing tables", () => {
  test("a table agrees with itself whatever the order of rows and columns", async () => {
    expect(await score("id,a,b\n1,x,y\n2,z,w\n", "b,id,a\nw,2,z\ny,1,x\n", byId)).toBe(1);
  });

  test("a wrong cell costs its share", async () => {
    expect(await score("id,a,b\n1,x,y\n2,z,w\n", "id,a,b\n1,x,y\n2,z,!\n", byId)).toBe(0.75);
  });

  test("a missing row costs as much as an extra one adds to the whole", async () => {
    expect(await score("id,a\n1,x\n2,y\n", "id,a\n1,x\n", byId)).toBe(0.5);
    expect(await score("id,a\n1,x\n2,y\n", "id,a\n1,x\n2,y\n3,z\n", byId)).toBeCloseTo(2 / 3, 12);
  });

  test("a missing column costs its cells, an unknown one only when counted", async () => {
    expect(await score("id,a,b\n1,x,y\n", "id,a\n1,x\n", byId)).toBe(0.5);
    const comparison = await compared("id,a\n1,x\n", "id,a,c\n1,x,q\n", byId);
    expect(comparison.extraColumns).toEqual(["c"]);
    expect(tableOutcome(comparison).score).toBe(1);
    expect(tableOutcome(comparison, { extraColumns: "counted" }).score).toBe(0.5);
    expect(tableOutcome(comparison, { extraColumns: "counted", unit: "all" }).score).toBe(0);
  });

  test("rows of a repeated key pair up with their equals first", async () => {
    const comparison = await compared("id,a\n1,x\n1,y\n", "id,a\n1,y\n1,x\n1,x\n", byId);
    expect(comparison).toMatchObject({ matchedRows: 2, rightRows: 2, extraRows: 1, missingRows: 0 });
    expect(comparison.duplicateKeys).toEqual({ expected: 1, actual: 1 });
  });

  test("numbers are compared within their tolerance, dates in any of the formats given", async () => {
    const rules: Rules = {
      key: ["id"],
      columns: { v: { kind: "number", absolute: 0.01 }, d: { kind: "date", formats: ["DD.MM.YYYY"] } },
    };
    expect(await score("id,v,d\n1,10.00,2024-02-01\n", "id,v,d\n1,1.0005e1,01.02.2024\n", rules)).toBe(1);
    expect(await score("id,v,d\n1,10.00,2024-02-01\n", "id,v,d\n1,10.02,02.01.2024\n", rules)).toBe(0);
  });

  test("an empty cell is never near a number", async () => {
    const rules: Rules = { key: ["id"], columns: { v: { kind: "number", absolute: 5 } } };
    expect(await score("id,v\n1,0\n", "id,v\n1,\n", rules)).toBe(0);
  });

  test("each file's decimal mark is its own", async () => {
    const expected = await file("id,v\n1,1234.5\n");
    const actual = await file("id;v\n1;1.234,5\n");
    const comparison = await compareTables({
      expected,
      actual: { path: actual, delimiter: ";", numbers: { decimal: ",", thousands: "." } },
      key: ["id"],
      columns: { v: "number" },
    });
    expect(tableOutcome(comparison).score).toBe(1);
  });

  test("keys join under their rule", async () => {
    const rules: Rules = { key: ["id"], columns: { id: "number" } };
    expect(await score("id,a\n1,x\n", "id,a\n01.0,x\n", rules)).toBe(1);
  });

  test("column names are found despite case and underscores, or by an alias", async () => {
    const rules: Rules = { key: ["Order ID"], aliases: { Amount: ["Total"] } };
    expect(await score("Order ID,Amount\n1,5\n", "order_id,TOTAL\n1,5\n", rules)).toBe(1);
    const exact: Rules = { key: ["id"], columnNames: "exact" };
    expect(await score("id,Amount\n1,5\n", "id,amount\n1,5\n", exact)).toBe(0);
  });

  test("with order required, rows out of place cost their share", async () => {
    const rules: Rules = { key: ["id"], rowOrder: "required" };
    expect(await score("id,a\n1,x\n2,y\n3,z\n4,w\n", "id,a\n1,x\n3,z\n4,w\n2,y\n", rules)).toBe(0.75);
  });

  test("without a key, rows are joined by position", async () => {
    expect(await score("a\nx\ny\n", "a\nx\nz\n", { key: [] })).toBe(0.5);
  });

  test("the actual table's faults are an outcome of score 0", async () => {
    const expected = await file("id,a\n1,x\n");
    for (const [content, ending] of [
      ["", "csv"],
      ["a\nx\n", "csv"],
      ["id,a\n1\n", "csv"],
      ['id,a\n1,"x\n', "csv"],
      [Uint8Array.of(0x69, 0x64, 0xff, 0xfe, 0x0a), "csv"],
      ["PK not a workbook", "xlsx"],
      ["PK not a workbook", "ods"],
      ["PAR1 nor this PAR1", "parquet"],
    ] as const) {
      const actual = await file(content, ending);
      const outcome = tableOutcome(await compareTables({ expected, actual, ...byId }));
      expect(outcome.score).toBe(0);
      expect(outcome.message).toMatch(/\.$/);
    }
    const absent = await compareTables({ expected, actual: join(folder, "absent.csv"), ...byId });
    expect(tableOutcome(absent)).toEqual({ score: 0, message: '"absent.csv" is missing.' });
  });

  test("the reference's faults are thrown", async () => {
    const actual = await file("id,a\n1,x\n");
    const broken = await file("id,a\n1\n");
    await expect(compareTables({ expected: broken, actual, ...byId })).rejects.toMatchObject({
      code: "reference-unreadable",
    });
    await expect(compareTables({ expected: actual, actual, key: ["nope"] })).rejects.toMatchObject({
      code: "table-misuse",
    });
  });

  test("columns that would be the name of something in JavaScript are plain columns", async () => {
    expect(await score("id,__proto__,constructor\n1,x,y\n", "id,__proto__,constructor\n1,x,y\n", byId)).toBe(
      1,
    );
  });

  test("tables too large for memory agree through temporary files as they would within", async () => {
    const line = "x".repeat(400);
    const rows = Array.from({ length: 90_000 }, (_, index) => `${index},${line}${index % 7}`);
    const expected = await file(`id,a\n${rows.join("\n")}\n`);
    rows.reverse();
    rows[0] = "89999,wrong";
    rows.pop();
    const actual = await file(`id,a\n${rows.join("\n")}\n`);
    const comparison = await compareTables({ expected, actual, ...byId, scratch: folder });
    expect(comparison).toMatchObject({
      matchedRows: 89_999,
      rightRows: 89_998,
      missingRows: 1,
      extraRows: 0,
    });
  });

  const cell = fc.string({
    unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", "\u001d", "\u001e", "\u001f", "1"),
  });
  const write = (rows: readonly (readonly string[])[]): string =>
    rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")).join("\n");

  test("any rows in any order agree with themselves, and dropping or adding one lowers the score", async () => {
    const rows = fc.uniqueArray(fc.tuple(cell, cell), {
      selector: ([id]) => id,
      minLength: 1,
      maxLength: 12,
    });
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([all, mixed]) => {
        const head = ["id", "a"];
        const whole = write([head, ...all]);
        expect(await score(whole, write([head, ...mixed]), byId)).toBe(1);
        expect(await score(whole, write([head, ...mixed.slice(1)]), byId)).toBeLessThan(1);
        expect(await score(whole, write([head, ...mixed, ["another", "b"]]), byId)).toBeLessThan(1);
      }),
      { numRuns: 40 },
    );
  });
});
