import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import { formatMoney } from "../formats/money.ts";
import { stringifyTable } from "../formats/stringify-table.ts";
import type { Params } from "../params.ts";
import { readInputs } from "./read-inputs.ts";
import { reconcile } from "./reconcile.ts";
import { writeReconciliation } from "./write-workbook.ts";

/** The oracle: reads the files, reconciles, writes the three papers. */
export function solve({ input, output, params }: SolveContext<Params>): void {
  const result = reconcile(readInputs(input), params.period_end);
  const matches = result.matches.map(({ account, bank, ledger, cents }) => [
    account,
    bank,
    ledger,
    formatMoney(cents),
  ]);
  writeFileSync(
    join(output, "matched_items.csv"),
    stringifyTable([["account", "bank_reference", "ledger_reference", "ledger_amount"], ...matches]),
  );
  const journal = result.entries.flatMap(({ date, reference, lines }, index) =>
    lines.map(({ account, cents }) => [
      String(index + 1),
      date,
      account,
      cents > 0 ? formatMoney(cents) : "",
      cents < 0 ? formatMoney(-cents) : "",
      reference,
    ]),
  );
  const header = ["entry", "date", "account", "debit", "credit", "reference"];
  writeFileSync(join(output, "journal_entries.csv"), stringifyTable([header, ...journal]));
  writeFileSync(join(output, "reconciliation.xlsx"), writeReconciliation(result));
}
