import { parseMoney } from "../formats/money.ts";
import type { JournalEntry } from "../items.ts";
import type { TableRow } from "./read-table-rows.ts";

/** What an entry says, however its lines are sorted or numbered. */
export function entryKey({ date, reference, lines }: JournalEntry): string {
  const said = lines.map(({ account, cents }) => `${account} ${cents}`).sort();
  return [date, reference, ...said].join(" | ");
}

/** The entries of `journal_entries.csv`; lines that cannot be read make an entry that equals none. */
export function entryKeys(rows: readonly TableRow[]): readonly string[] {
  const entries = new Map<string, TableRow[]>();
  for (const row of rows) {
    const id = row["entry"] ?? "";
    const lines = entries.get(id);
    if (lines === undefined) entries.set(id, [row]);
    else lines.push(row);
  }
  return [...entries.values()].map((lines) => {
    const [first = {}] = lines;
    const [date, reference] = [first["date"] ?? "", first["reference"] ?? ""];
    const alike = lines.every((row) => row["date"] === date && row["reference"] === reference);
    const read = lines.map((row) => {
      const [debit, credit] = [side(row["debit"]), side(row["credit"])];
      const known = debit !== undefined && credit !== undefined && debit >= 0 && credit >= 0;
      return { account: row["account"] ?? "", cents: known ? debit - credit : Number.NaN };
    });
    return alike
      ? entryKey({ date, reference, lines: read })
      : `entry ${first["entry"]} has two dates or references`;
  });
}

/** Whether every entry's debits equal its credits. */
export function unbalancedEntries(rows: readonly TableRow[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const id = row["entry"] ?? "";
    const amount = (side(row["debit"]) ?? Number.NaN) - (side(row["credit"]) ?? Number.NaN);
    sums.set(id, (sums.get(id) ?? 0) + amount);
  }
  return [...sums].filter(([, sum]) => sum !== 0).map(([id]) => id);
}

function side(text = ""): number | undefined {
  return text === "" ? 0 : parseMoney(text);
}
