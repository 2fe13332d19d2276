import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import { dayOf } from "../calendar.ts";
import { writeDocx } from "../office/write-docx.ts";
import { writePdf } from "../office/write-pdf.ts";
import type { Params } from "../params.ts";
import type { Truth } from "../register.ts";
import { makePortfolio } from "./make-portfolio.ts";
import { trueConflicts } from "./true-conflicts.ts";
import { trueRows } from "./true-register.ts";

/** Writes the contract files, the holidays, and the register and conflicts that follow from them. */
export async function generate({ input, reference, params, random }: GenerateContext<Params>): Promise<void> {
  const holidays = holidaysAround(Number(params.review_date.slice(0, 4)));
  const table = ["date,name", ...holidays.map((row) => row.join(","))];
  writeFileSync(join(input, "holidays.csv"), `${table.join("\n")}\n`);

  const threads = makePortfolio(params, random);
  mkdirSync(join(input, "contracts"));
  for (const { name, format, numbering, dated, content } of threads.flatMap(({ files }) => files)) {
    const bytes =
      format === "docx"
        ? writeDocx(content, { numbering, changedOn: dated })
        : await writePdf(content, dated);
    writeFileSync(join(input, "contracts", name), bytes);
  }

  const setting = { reviewDate: params.review_date, holidays: new Set(holidays.map(([day]) => day)) };
  const contracts = threads.map(({ contract }) => contract);
  const truth: Truth = {
    rows: contracts.flatMap((contract) => trueRows(contract, setting)),
    conflicts: trueConflicts(contracts, params.review_date),
  };
  writeFileSync(join(reference, "truth.json"), `${JSON.stringify(truth, null, 1)}\n`);
}

/** Bank holidays of England and Wales on fixed days, and Good Friday and Easter Monday. */
function holidaysAround(year: number): readonly (readonly [day: string, name: string])[] {
  return [year - 1, year, year + 1, year + 2].flatMap((item) => {
    const [month, day] = easter(item);
    return [
      [dayOf(item, 1, 1), "New Year's Day"],
      [dayOf(item, month, day - 2), "Good Friday"],
      [dayOf(item, month, day + 1), "Easter Monday"],
      [dayOf(item, 5, 1), "May Day"],
      [dayOf(item, 12, 25), "Christmas Day"],
      [dayOf(item, 12, 26), "Boxing Day"],
    ] as const;
  });
}

/** Month and day of Easter Sunday, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easter(year: number): readonly [month: number, day: number] {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return [Math.floor(f / 31), (f % 31) + 1];
}
