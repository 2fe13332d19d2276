import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "ale/grade/rubric/check";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { compareCells } from "ale/grade/spreadsheet/compare-cells";
import { findCells } from "ale/grade/spreadsheet/find-cells";
import { readWorkbook } from "ale/grade/spreadsheet/read-workbook";
import { defineTask } from "ale/task";

const cells = {
  ...{ A1: "Item", B1: "Price", C1: "Qty" },
  ...{ A2: "Äpfel", B2: 1.5, C2: 4, A3: "Груши", B3: 2.25, C3: 10, A4: "桃子", B4: 3, C4: 7 },
  ...{ A5: null, B5: "Total", C5: 49.5 },
};

export default defineTask({
  async grade({ artifacts }) {
    const read = await readWorkbook(join(artifacts, "prices.ods"));
    if (read.kind === "bad") {
      return weightedRubric([check({ id: "cells", stage: "table", outcome: read.outcome })]);
    }
    const sheet = read.value.sheets[0]?.name ?? "";
    const total = findCells(read.value, sheet, "C5");
    const isLive = total.kind === "ok" && total.value[0]?.formula !== undefined;
    return weightedRubric([
      check({ id: "cells", stage: "table", outcome: compareCells(read.value, { sheet, cells }) }),
      check({
        id: "formula",
        stage: "table",
        outcome: {
          score: isLive ? 1 : 0,
          message: isLive ? "the total is calculated" : "the total is no formula",
        },
      }),
    ]);
  },

  solve({ output }) {
    const dir = mkdtempSync(join(tmpdir(), "prices-"));
    try {
      const table = join(dir, "prices.csv");
      const rows = [
        ["Item", "Price", "Qty"],
        ["Äpfel", "1.5", "4"],
        ["Груши", "2.25", "10"],
        ["桃子", "3", "7"],
        ["", "Total", '"=SUMPRODUCT(B2:B4,C2:C4)"'],
      ];
      writeFileSync(table, rows.map((row) => `${row.join(",")}\n`).join(""));
      // Commas between, quotes around, UTF-8, from line 1, cells judged, formulas calculated.
      const filter = "CSV:44,34,76,1,,1033,false,true,false,false,false,-1,true";
      const argv = ["--headless", `-env:UserInstallation=file://${dir}/profile`, `--infilter=${filter}`];
      execFileSync("soffice", [...argv, "--convert-to", "ods", "--outdir", output, table]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
});
