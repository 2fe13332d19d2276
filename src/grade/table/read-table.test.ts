import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareTables } from "./compare-tables.ts";
import { readTable } from "./read-table.ts";
import type { ReadTableOptions, Row } from "./table.ts";
import { tableOutcome } from "./table-outcome.ts";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "read-table-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function save(content: string | Uint8Array, ending = "csv"): Promise<string> {
  const path = join(folder, `${files++}.${ending}`);
  await writeFile(path, content);
  return path;
}

async function rowsOf(
  path: string,
  options?: ReadTableOptions,
): Promise<{ header: readonly string[]; rows: Row[] }> {
  const table = await readTable(path, options);
  if (table.kind === "bad") throw new TypeError(table.outcome.message);
  const rows: Row[] = [];
  const read = await table.value.visitRows((row) => rows.push(row));
  if (read.kind === "bad") throw new TypeError(read.outcome.message);
  return { header: table.value.header, rows };
}

function parquet(): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "id", data: [1, 2, 3], type: "INT32" },
        { name: "name", data: ["a", "é", null], type: "STRING" },
        { name: "amount", data: [1.5, -2, 1e300], type: "DOUBLE" },
      ],
    }),
  );
}

describe("reading tables", () => {
  const text = "naïve,€\nä,1\n";
  test.each([
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${text}`), {}],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${text}`, "utf16le"), {}],
    ["big-endian UTF-16 with a mark", Buffer.from(`\uFEFF${text}`, "utf16le").swap16(), {}],
    ["UTF-16 as said", Buffer.from(text, "utf16le"), { encoding: "utf-16le" }],
    ["Windows-1252 as said", Buffer.from(text.replace("€", "\u0080"), "latin1"), { encoding: "latin1" }],
  ] as const)("%s is decoded", async (_name, bytes, options) => {
    expect(await rowsOf(await save(bytes), options)).toEqual({ header: ["naïve", "€"], rows: [["ä", "1"]] });
  });

  test("quoted line ends stay, blank lines do not count, names may be given", async () => {
    expect(await rowsOf(await save('1\t"a\nb"\n\n2\t"c"\n', "tsv"), { header: ["n", "t"] })).toEqual({
      header: ["n", "t"],
      rows: [
        ["1", "a\nb"],
        ["2", "c"],
      ],
    });
  });

  test("ragged rows are refused, or padded when asked", async () => {
    const path = await save("title\na,b\n1\n1,2,3\n");
    expect(await rowsOf(path, { skipRows: 1, ragged: "pad" })).toEqual({
      header: ["a", "b"],
      rows: [
        ["1", null],
        ["1", "2"],
      ],
    });
    await expect(rowsOf(path, { skipRows: 1 })).rejects.toThrow(/row 1 has 1 cells, the header 2/);
  });

  test("Parquet gives typed cells, and agrees with the CSV of the same rows", async () => {
    const path = await save(parquet(), "parquet");
    expect(await rowsOf(path)).toEqual({
      header: ["id", "name", "amount"],
      rows: [
        [1, "a", 1.5],
        [2, "é", -2],
        [3, null, 1e300],
      ],
    });
    const actual = await save("id,name,amount\n3,,1e+300\n2,é,-2.00\n1,a,1.5\n");
    const comparison = await compareTables({
      expected: path,
      actual,
      key: ["id"],
      columns: { amount: "number" },
    });
    expect(tableOutcome(comparison).score).toBe(1);
  });

  test("Parquet cut off anywhere is bad, not thrown", async () => {
    const whole = parquet();
    for (let length = 0; length < whole.length; length += 97) {
      const path = await save(whole.subarray(0, length), "parquet");
      expect((await readTable(path)).kind).toBe("bad");
    }
  });

  test("Parquet with a byte changed is read or bad, also where its decoder would never end", async () => {
    const whole = parquet();
    for (const at of [1, 20, 60, 151, whole.length - 90, whole.length - 30, whole.length - 7]) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const table = await readTable(await save(bytes, "parquet"), {
        limits: { maxRows: 1000, maxBatchMs: 3000 },
      });
      if (table.kind === "ok") await table.value.visitRows(() => undefined);
    }
  });

  test("limits hold while rows are read", async () => {
    const path = await save(`a\n${"1\n".repeat(50)}`);
    await expect(rowsOf(path, { limits: { maxRows: 10 } })).rejects.toThrow(/more than 10 rows/);
    expect((await readTable(path, { limits: { maxBytes: 10 } })).kind).toBe("bad");
    expect((await readTable(folder, { format: "csv" })).kind).toBe("bad");
  });
});
