import { utils, type WorkSheet, write } from "@e965/xlsx";
import { figuresOf, lineNames } from "../figures.ts";
import { bankAccounts, type Reconciliation } from "../items.ts";

/** The workbook of the reconciliation: Items typed in, Reconciliation worked out from them by formulas. */
export function writeReconciliation(result: Reconciliation): Uint8Array {
  const rows = result.items.map((item) => [
    item.account,
    item.itemClass,
    item.reference,
    item.date,
    item.cents / 100,
  ]);
  const items = utils.aoa_to_sheet([["account", "class", "reference", "date", "amount"], ...rows]);
  const last = rows.length + 1;
  const sheet: WorkSheet = utils.aoa_to_sheet([["line", ...bankAccounts]]);
  for (const [column, account] of bankAccounts.entries()) {
    const letter = column === 0 ? "B" : "C";
    const sum = (itemClass: string): string =>
      `SUMIFS(Items!$E$2:$E$${last},Items!$A$2:$A$${last},"${account}",Items!$B$2:$B$${last},"${itemClass}")`;
    const formulas: Readonly<Record<string, string>> = {
      deposits_in_transit: sum("deposit_in_transit"),
      outstanding_cheques: sum("outstanding_cheque"),
      adjusted_bank_balance: `${letter}2+${letter}3-${letter}4`,
      book_adjustments: sum("book_adjustment"),
      adjusted_book_balance: `${letter}6+${letter}7`,
      difference: `ROUND(${letter}5-${letter}8,2)`,
    };
    const figures = figuresOf(result, account);
    for (const [index, name] of lineNames.entries()) {
      const formula = formulas[name];
      sheet[`A${index + 2}`] = { t: "s", v: name };
      const value = { t: "n" as const, v: figures[name] / 100 };
      sheet[`${letter}${index + 2}`] = formula === undefined ? value : { ...value, f: formula };
    }
  }
  sheet["!ref"] = `A1:C${lineNames.length + 1}`;
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, "Reconciliation");
  utils.book_append_sheet(workbook, items, "Items");
  return write(workbook, { type: "buffer", bookType: "xlsx", compression: true }) as Uint8Array;
}
