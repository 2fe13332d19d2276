import type { Random } from "ale/contract/random";
import type { BankAccount, BankItem, Reconciliation } from "../items.ts";
import type { Params } from "../params.ts";
import { DraftBooks } from "./draft-books.ts";
import { addOrdinaryLines } from "./ordinary-lines.ts";
import { plantDifferences } from "./plant-differences.ts";
import { Truth } from "./truth.ts";

export interface Month {
  readonly books: DraftBooks;
  readonly openingBank: Readonly<Record<BankAccount, number>>;
  readonly openingBook: Readonly<Record<BankAccount, number>>;
  readonly truth: Reconciliation;
}

/** Makes a month of books and statements, with the reconciliation that is true by construction. */
export function makeMonth(params: Params, random: Random): Month {
  const books = new DraftBooks(random, params.period, params.period_end);
  const truth = new Truth(params.period_end);
  addOrdinaryLines(books, truth, params);
  plantDifferences(books, truth, params.differences);
  books.close();
  const openingBook = {
    "1010": random.integer(9_000_000, 16_000_000),
    "1020": random.integer(3_000_000, 6_000_000),
  };
  const total = (
    items: readonly { readonly account: BankAccount; readonly cents: number }[],
    account: BankAccount,
  ): number => items.filter((item) => item.account === account).reduce((sum, { cents }) => sum + cents, 0);
  const openingBank = {
    "1010": openingBook["1010"] - total(books.prior, "1010"),
    "1020": openingBook["1020"] - total(books.prior, "1020"),
  };
  const balance = (account: BankAccount) => ({
    bank: openingBank[account] + total(books.bank as BankItem[], account),
    book: openingBook[account] + total(books.ledger, account),
  });
  return {
    books,
    openingBank,
    openingBook,
    truth: truth.finish({ "1010": balance("1010"), "1020": balance("1020") }),
  };
}
