import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import { formatGermanMoney, formatMoney } from "../formats/money.ts";
import { stringifyTable } from "../formats/stringify-table.ts";
import { writeLedger } from "../formats/write-ledger.ts";
import { writeMt940 } from "../formats/write-mt940.ts";
import type { Params } from "../params.ts";
import { type Month, makeMonth } from "./make-month.ts";

/** Writes the month's statements, ledger and list of old open items; the true reconciliation goes to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const month = makeMonth(params, random);
  mkdirSync(join(input, "bank"), { recursive: true });
  writeStatements(input, params, month);
  writeFileSync(join(input, "bank", `sparbank_${params.period}.csv`), secondStatement(params, month));
  const { books, openingBook, truth } = month;
  writeFileSync(
    join(input, "general_ledger.xlsx"),
    writeLedger(books.ledger, openingBook, `${params.period}-01`),
  );
  const prior = books.prior.map((item) => [
    item.account,
    item.item,
    item.kind,
    item.date,
    item.document,
    formatMoney(Math.abs(item.cents)),
  ]);
  const header = ["account", "item_no", "kind", "date", "document", "amount"];
  writeFileSync(
    join(input, "outstanding_prior_month.csv"),
    stringifyTable([header, ...random.shuffle(prior)]),
  );
  writeFileSync(join(reference, "truth.json"), `${JSON.stringify(truth)}\n`);
}

/** A file per week, numbered through the year. */
function writeStatements(input: string, params: Params, { books, openingBank }: Month): void {
  const starts = [1, 8, 15, 22];
  const first = (Number(params.period.slice(5)) - 1) * 4 + 1;
  let opening = openingBank["1010"];
  for (const [index, start] of starts.entries()) {
    const end = (starts[index + 1] ?? books.lastDay + 1) - 1;
    const items = books.bank.filter(({ account, date }) => {
      const day = Number(date.slice(8));
      return account === "1010" && day >= start && day <= end;
    });
    const header = {
      iban: "DE89200800000970375700",
      number: first + index,
      opening,
      openingDate: books.date(start),
      closingDate: books.date(end),
    };
    writeFileSync(join(input, "bank", `ndh_${params.period}_w${index + 1}.sta`), writeMt940(header, items));
    opening += items.reduce((sum, { cents }) => sum + cents, 0);
  }
}

const words: Readonly<Record<string, string>> = {
  TRF: "Überweisung",
  CRD: "Kartenzahlung",
  INT: "Zinsen",
  CHG: "Entgelt",
  FEE: "Entgelt",
};

function secondStatement(params: Params, { books, openingBank }: Month): string {
  let balance = openingBank["1020"];
  const german = (date: string): string => date.split("-").reverse().join(".");
  const rows = books.bank
    .filter(({ account }) => account === "1020")
    .map((item) => {
      balance += item.cents;
      return [
        german(item.date),
        german(item.date),
        words[item.code] ?? "",
        item.text.replace("SVWZ+", ""),
        formatGermanMoney(item.cents),
        formatGermanMoney(balance),
        item.reference,
      ];
    });
  return stringifyTable(
    [
      ["Kontoauszug", "DE21500500009876543210", params.period, "", "", "", ""],
      ["Anfangssaldo", "", "", "", "", formatGermanMoney(openingBank["1020"]), ""],
      ["Buchungstag", "Wertstellung", "Umsatzart", "Verwendungszweck", "Betrag", "Saldo", "Transaktions-ID"],
      ...rows,
      ["Endsaldo", "", "", "", "", formatGermanMoney(balance), ""],
    ],
    ";",
  );
}
