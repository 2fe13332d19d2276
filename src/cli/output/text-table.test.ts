import { expect, test } from "vitest";
import { textTable, visibleWidth } from "./text-table.ts";

test("columns are as wide as their widest cell, numbers to the right", () => {
  const table = textTable(
    [
      { title: "name", cell: (row: { name: string; n: number }) => row.name },
      { title: "n", align: "right", cell: (row) => String(row.n) },
    ],
    [
      { name: "oracle", n: 12 },
      { name: "nop", n: 3 },
    ],
  );
  expect(table).toBe("name     n\noracle  12\nnop      3\n");
});

test("colours take no room and Chinese characters take two columns", () => {
  expect(visibleWidth("\u001b[31mred\u001b[0m")).toBe(3);
  expect(visibleWidth("考试")).toBe(4);
});
