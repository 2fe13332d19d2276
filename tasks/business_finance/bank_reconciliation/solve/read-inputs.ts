import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { type BankAccount, type BankItem, bankAccounts, type LedgerItem, type PriorItem } from "../items.ts";
import { readMt940 } from "./read-mt940.ts";

export interface Inputs {
  readonly bank: readonly BankItem[];
  readonly ledger: readonly LedgerItem[];
  readonly prior: readonly PriorItem[];
  readonly balances: Readonly<Record<BankAccount, { readonly bank: number; readonly book: number }>>;
}

export function readInputs(input: string): Inputs {
  const names = readdirSync(join(input, "bank")).sort();
  const weeks = names
    .filter((name) => name.endsWith(".sta"))
    .map((name) => readMt940(readFileSync(join(input, "bank", name), "latin1")));
  const csv = names.find((name) => name.endsWith(".csv")) ?? "";
  const second = readSecondBank(readFileSync(join(input, "bank", csv), "utf8"));
  const { ledger, balances } = readLedger(readFileSync(join(input, "general_ledger.xlsx")));
  return {
    bank: [...weeks.flatMap(({ items }) => items), ...second.items],
    ledger,
    prior: readPrior(readFileSync(join(input, "outstanding_prior_month.csv"), "utf8")),
    balances: {
      "1010": { bank: weeks.at(-1)?.closing ?? 0, book: balances["1010"] },
      "1020": { bank: second.closing, book: balances["1020"] },
    },
  };
}

function readSecondBank(text: string): { readonly items: readonly BankItem[]; readonly closing: number } {
  const rows = parse(text, { delimiter: ";" }) as string[][];
  const cents = (value = ""): number => Math.round(Number(value.replaceAll(".", "").replace(",", ".")) * 100);
  const items = rows
    .filter((row) => /^\d\d\.\d\d\.\d{4}$/.test(row[0] ?? ""))
    .map((row): BankItem => {
      const [day = "", , kind, purpose = "", amount, , reference = ""] = row;
      return {
        account: "1020",
        reference,
        date: day.split(".").reverse().join("-"),
        cents: cents(amount),
        code:
          kind === "Zinsen" ? "INT" : kind === "Entgelt" ? (/Ausland/.test(purpose) ? "FEE" : "CHG") : "TRF",
        reversal: false,
        customerReference: "",
        text: purpose,
      };
    });
  return { items, closing: cents(rows.find((row) => row[0] === "Endsaldo")?.[5]) };
}

function readLedger(bytes: Uint8Array): {
  readonly ledger: readonly LedgerItem[];
  readonly balances: Readonly<Record<BankAccount, number>>;
} {
  const workbook = read(bytes);
  const ledger: LedgerItem[] = [];
  const balances = { "1010": 0, "1020": 0 };
  for (const account of bankAccounts) {
    const sheet = workbook.Sheets[account];
    const rows = sheet === undefined ? [] : utils.sheet_to_json<unknown[]>(sheet, { header: 1, defval: "" });
    for (const [date, entry, document, description, debit, credit, balance] of rows) {
      if (!/^\d{4}-/.test(String(date))) continue;
      balances[account] = Math.round(Number(balance) * 100);
      if (entry === "") continue;
      const cents = Math.round(Number(debit) * 100) - Math.round(Number(credit) * 100);
      ledger.push({
        account,
        entry: String(entry),
        date: String(date),
        document: String(document),
        description: String(description),
        cents,
      });
    }
  }
  return { ledger, balances };
}

function readPrior(text: string): readonly PriorItem[] {
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  return rows.map((row): PriorItem => {
    const kind = row["kind"] === "cheque" ? "cheque" : "deposit";
    return {
      account: row["account"] as BankAccount,
      item: row["item_no"] ?? "",
      kind,
      date: row["date"] ?? "",
      document: row["document"] ?? "",
      cents: (kind === "cheque" ? -1 : 1) * Math.round(Number(row["amount"]) * 100),
    };
  });
}
