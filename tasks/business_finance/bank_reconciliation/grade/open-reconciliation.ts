import { bad, ok, type Read } from "ale/grade/rubric/read";
import { formatAddress, parseAddress } from "ale/grade/spreadsheet/cell-address";
import { findSheet } from "ale/grade/spreadsheet/find-cells";
import type { Workbook, WorkbookSheet } from "ale/grade/spreadsheet/workbook";
import { type LineName, lineNames } from "../figures.ts";
import { type BankAccount, bankAccounts, type ItemClass, type ReconcilingItem } from "../items.ts";

/** Where things stand in an agent's workbook. */
export interface OpenReconciliation {
  /** Addresses on the sheet Reconciliation. */
  readonly lines: Readonly<Record<BankAccount, Readonly<Record<LineName, string>>>>;
  readonly items: readonly PlacedItem[];
}

export interface PlacedItem extends ReconcilingItem {
  /** Of the amount, on the sheet Items. */
  readonly address: string;
}

/** Finds the labelled lines and the items; bad when the layout asked for is not there. */
export function openReconciliation(workbook: Workbook): Read<OpenReconciliation> {
  const sheet = findSheet(workbook, "Reconciliation");
  if (sheet.kind === "bad") return sheet;
  const items = findSheet(workbook, "Items");
  if (items.kind === "bad") return items;
  const columns = headerColumns(sheet.value);
  const rows = new Map<string, number>();
  for (const { address } of sheet.value.cells.values()) {
    const position = parseAddress(address);
    if (position?.column === 0) rows.set(textAt(sheet.value, address).toLowerCase(), position.row);
  }
  const lines: Partial<Record<BankAccount, Readonly<Record<LineName, string>>>> = {};
  for (const account of bankAccounts) {
    const column = columns.get(account);
    const absent = lineNames.filter((name) => !rows.has(name));
    if (column === undefined || absent.length > 0) {
      return bad(`The sheet Reconciliation lacks the column ${account} or the lines ${absent.join(", ")}.`);
    }
    lines[account] = Object.fromEntries(
      lineNames.map((name) => [name, formatAddress({ row: rows.get(name) as number, column })]),
    ) as Record<LineName, string>;
  }
  const placed = placeItems(items.value);
  if (placed.kind === "bad") return placed;
  return ok({ lines: lines as OpenReconciliation["lines"], items: placed.value });
}

function placeItems(sheet: WorkbookSheet): Read<readonly PlacedItem[]> {
  const columns = headerColumns(sheet);
  const names = ["account", "class", "reference", "date", "amount"];
  const absent = names.filter((name) => !columns.has(name));
  if (absent.length > 0) return bad(`The sheet Items lacks the columns ${absent.join(", ")}.`);
  const filled = new Set([...sheet.cells.keys()].map((address) => parseAddress(address)?.row ?? 0));
  const items: PlacedItem[] = [];
  for (const row of [...filled].sort((a, b) => a - b)) {
    if (row === 0) continue;
    const [account, itemClass, reference, date, amount] = names.map((name) =>
      formatAddress({ row, column: columns.get(name) as number }),
    ) as [string, string, string, string, string];
    if (textAt(sheet, account) === "") continue;
    const value = sheet.cells.get(amount)?.value;
    items.push({
      account: textAt(sheet, account) as BankAccount,
      itemClass: textAt(sheet, itemClass) as ItemClass,
      reference: textAt(sheet, reference),
      date: textAt(sheet, date).slice(0, 10),
      cents: value?.kind === "number" ? Math.round(value.value * 100) : Number.NaN,
      address: amount,
    });
  }
  return ok(items);
}

function headerColumns(sheet: WorkbookSheet): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const address of sheet.cells.keys()) {
    const position = parseAddress(address);
    if (position?.row === 0) columns.set(textAt(sheet, address).toLowerCase(), position.column);
  }
  return columns;
}

function textAt(sheet: WorkbookSheet, address: string): string {
  const value = sheet.cells.get(address)?.value;
  return value === undefined || value.kind === "empty" ? "" : String(value.value).trim();
}
