import { utils, write } from "@e965/xlsx";
import { type BankAccount, bankAccounts, type LedgerItem } from "../items.ts";
import { fixZipDates } from "./fixed-zip.ts";

const chart: readonly (readonly string[])[] = [
  ["account", "name"],
  ["1010", "Bank, operating account (Norddeutsche Handelsbank, MT940)"],
  ["1020", "Bank, second account (Sparbank, CSV)"],
  ["1100", "Trade receivables"],
  ["2000", "Trade payables"],
  ["2090", "Unclaimed cheques"],
  ["4000", "Sales"],
  ["6810", "Bank charges"],
  ["6820", "Foreign currency card fees"],
  ["7010", "Interest income"],
];

/** The ledger workbook: the chart of accounts, and a sheet of postings per bank account with a running balance. */
export function writeLedger(
  items: readonly LedgerItem[],
  opening: Readonly<Record<BankAccount, number>>,
  firstDay: string,
): Uint8Array {
  const workbook = utils.book_new();
  workbook.Props = { Title: "General ledger", CreatedDate: new Date("2026-01-01T00:00:00Z") };
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(chart as string[][]), "Chart of accounts");
  for (const account of bankAccounts) {
    let balance = opening[account];
    const rows: (string | number)[][] = [
      ["Harrow & Pike GmbH", "", "", `Account ${account}`],
      [],
      ["date", "entry_no", "document", "description", "debit", "credit", "balance"],
      [firstDay, "", "", "Balance brought forward", "", "", balance / 100],
    ];
    for (const item of items.filter((posting) => posting.account === account)) {
      balance += item.cents;
      const debit = item.cents > 0 ? item.cents / 100 : "";
      const credit = item.cents < 0 ? -item.cents / 100 : "";
      rows.push([item.date, item.entry, item.document, item.description, debit, credit, balance / 100]);
    }
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), account);
  }
  return fixZipDates(write(workbook, { type: "buffer", bookType: "xlsx", compression: true }) as Uint8Array);
}
