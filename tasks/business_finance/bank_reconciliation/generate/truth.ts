import type { BankAccount, BankItem, ItemClass, Match, PriorItem, Reconciliation } from "../items.ts";
import type { DraftPosting } from "./draft-books.ts";

type Source = DraftPosting | PriorItem;
type Line = readonly [account: string, cents: number];

/** Collects what is true while the month is made; references are read only when it is finished. */
export class Truth {
  readonly #periodEnd: string;
  readonly #matches: { readonly bank: BankItem; readonly source: Source }[] = [];
  readonly #open: { readonly itemClass: ItemClass; readonly source: Source }[] = [];
  readonly #corrections: { readonly cause: BankItem | Source; readonly lines: readonly Line[] }[] = [];

  constructor(periodEnd: string) {
    this.#periodEnd = periodEnd;
  }

  match(bank: BankItem, ...sources: readonly Source[]): void {
    for (const source of sources) this.#matches.push({ bank, source });
  }

  open(source: Source): void {
    this.#open.push({ itemClass: source.cents > 0 ? "deposit_in_transit" : "outstanding_cheque", source });
  }

  /** A journal entry owed because of a statement line, or of a posting or prior item that was wrong. */
  correct(cause: BankItem | Source, ...lines: readonly Line[]): void {
    this.#corrections.push({ cause, lines });
  }

  finish(balances: Reconciliation["balances"]): Reconciliation {
    const entries = this.#corrections.map(({ cause, lines }) => ({
      date: "reference" in cause ? cause.date : this.#periodEnd,
      reference: "reference" in cause ? cause.reference : nameOf(cause),
      lines: lines.map(([account, cents]) => ({ account, cents })),
    }));
    const matches = this.#matches.map(
      ({ bank, source }): Match => ({
        account: bank.account,
        bank: bank.reference,
        ledger: nameOf(source),
        cents: source.cents,
      }),
    );
    const items = this.#open.map(({ itemClass, source }) => ({
      account: source.account,
      itemClass,
      reference: nameOf(source),
      date: source.date,
      cents: Math.abs(source.cents),
    }));
    const adjustments = entries.flatMap(({ date, reference, lines }) =>
      lines
        .filter(({ account }) => account === "1010" || account === "1020")
        .map(({ account, cents }) => ({
          account: account as BankAccount,
          itemClass: "book_adjustment" as const,
          reference,
          date,
          cents,
        })),
    );
    return { matches, items: [...items, ...adjustments], entries, balances };
  }
}

function nameOf(source: Source): string {
  return "item" in source ? source.item : source.entry;
}
