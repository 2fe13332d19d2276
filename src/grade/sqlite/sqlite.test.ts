import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { compareSqlite } from "./compare-sqlite.ts";
import { querySqlite, wholeTable } from "./query-sqlite.ts";

let dir: string;
let made = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-sqlite-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function database(script: string): string {
  const path = join(dir, `${made++}.sqlite`);
  const opened = new DatabaseSync(path);
  opened.exec(script);
  opened.close();
  return path;
}

const orders = `CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT, amount REAL);
  INSERT INTO orders VALUES (1, 'Ann', 10.5), (2, 'Bo', 20.0), (3, 'Cy', NULL);`;

describe("querying a database", () => {
  it("gives rows as plain values", () => {
    const path = database(`CREATE TABLE t(a, b, c, d);
      INSERT INTO t VALUES (1, 9007199254740993, 9e999, x'00ff'), ('x', -2.5, NULL, '');`);
    expect(fromReference(querySqlite(path, wholeTable("t")))).toEqual([
      { a: 1, b: "9007199254740993", c: "Infinity", d: { blob: expect.stringMatching(/^sha256:06eb7d6a/) } },
      { a: "x", b: -2.5, c: null, d: "" },
    ]);
  });

  it("lets an author aggregate and join", () => {
    const sql =
      "WITH big AS (SELECT * FROM orders WHERE amount > 5) SELECT count(*) AS n, sum(amount) AS s FROM big";
    expect(fromReference(querySqlite(database(orders), sql))).toEqual([{ n: 2, s: 30.5 }]);
  });

  it.each([
    [
      "a view that never ends",
      "CREATE VIEW t AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r;",
    ],
    ["a view in a table's place", `${orders} CREATE VIEW t AS SELECT * FROM orders;`],
    [
      "a column computed without end",
      "CREATE TABLE t(a, b AS (zeroblob(1000000000))); INSERT INTO t VALUES (1);",
    ],
    ["a table that is not there", orders],
  ])("refuses %s", (_case, script) => {
    expect(querySqlite(database(script), wholeTable("t"))).toMatchObject({
      kind: "bad",
      outcome: { score: 0 },
    });
  });

  it("refuses what is no database, too many rows, and a log that was not merged", async () => {
    const none = join(dir, "none.sqlite");
    await writeFile(none, "SQLite format 3\0 but not really".repeat(99));
    expect(querySqlite(none, wholeTable("t")).kind).toBe("bad");
    const path = database(orders);
    expect(querySqlite(path, wholeTable("orders"), { maxRows: 2 }).kind).toBe("bad");
    expect(querySqlite(path, wholeTable("orders"), { maxBytes: 100 }).kind).toBe("bad");
    await writeFile(`${path}-wal`, "x");
    expect(querySqlite(path, wholeTable("orders"))).toMatchObject({
      outcome: { message: expect.stringContaining("write-ahead log") },
    });
  });

  it("refuses columns that double without end", () => {
    const doubling = Array.from({ length: 20 }, (_, index) => `c${index + 1} AS (c${index} || c${index})`);
    const path = database(`CREATE TABLE t(c0 TEXT, ${doubling}); INSERT INTO t VALUES ('x'), ('x'), ('x');`);
    expect(querySqlite(path, wholeTable("t"), { maxBytes: 4_000_000 })).toMatchObject({
      outcome: { message: expect.stringContaining("more than 4000000 bytes") },
    });
  });

  it("neither writes nor attaches", () => {
    const path = database(orders);
    for (const sql of ["DELETE FROM orders", "PRAGMA user_version", `ATTACH '${path}' AS x`]) {
      expect(querySqlite(path, sql).kind).toBe("bad");
    }
    expect(fromReference(querySqlite(path, wholeTable("orders")))).toHaveLength(3);
  });
});

describe("comparing a database", () => {
  const expected = fromReferenceRows();
  function fromReferenceRows() {
    return [
      { id: 1, customer: "Ann", amount: 10.5 },
      { id: 2, customer: "Bo", amount: 20 },
      { id: 3, customer: "Cy", amount: null },
    ];
  }
  const score = (script: string, more: object = {}) =>
    compareSqlite(database(script), [{ name: "orders", sql: wholeTable("orders"), expected, ...more }]).score;

  it("is 1 for the same rows in any order, and lower for changed, missing and extra ones", () => {
    expect(score(orders)).toBe(1);
    expect(
      compareSqlite(database(orders), [
        { name: "o", sql: wholeTable("orders"), expected: expected.toReversed() },
      ]).score,
    ).toBe(1);
    expect(score(`${orders} DELETE FROM orders WHERE id = 2;`)).toBe(6 / 9);
    expect(score(`${orders} INSERT INTO orders VALUES (4, 'Di', 1);`)).toBe(9 / 12);
    expect(score("CREATE TABLE other(x);")).toBe(0);
  });

  it("pairs by key and allows a tolerance per column", () => {
    const near = `${orders} UPDATE orders SET amount = 20.004 WHERE id = 2;`;
    expect(score(near, { rows: { by: ["id"] } })).toBe(8 / 9);
    expect(score(near, { rows: { by: ["id"] }, tolerance: { amount: { absolute: 0.005 } } })).toBe(1);
    expect(() => score(near, { tolerance: { amount: { absolute: 1 } } })).toThrow(AleError);
  });
});
