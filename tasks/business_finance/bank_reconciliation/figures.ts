import type { BankAccount, Reconciliation } from "./items.ts";

/** The lines of the sheet Reconciliation, in cents. */
export const lineNames = [
  "bank_balance",
  "deposits_in_transit",
  "outstanding_cheques",
  "adjusted_bank_balance",
  "book_balance",
  "book_adjustments",
  "adjusted_book_balance",
  "difference",
] as const;

export type LineName = (typeof lineNames)[number];

export function figuresOf(
  { items, balances }: Pick<Reconciliation, "items" | "balances">,
  account: BankAccount,
): Readonly<Record<LineName, number>> {
  const sum = (itemClass: string): number =>
    items
      .filter((item) => item.account === account && item.itemClass === itemClass)
      .reduce((total, { cents }) => total + cents, 0);
  const { bank, book } = balances[account];
  const [deposits, cheques, adjustments] = [
    sum("deposit_in_transit"),
    sum("outstanding_cheque"),
    sum("book_adjustment"),
  ];
  return {
    bank_balance: bank,
    deposits_in_transit: deposits,
    outstanding_cheques: cheques,
    adjusted_bank_balance: bank + deposits - cheques,
    book_balance: book,
    book_adjustments: adjustments,
    adjusted_book_balance: book + adjustments,
    difference: bank + deposits - cheques - book - adjustments,
  };
}
