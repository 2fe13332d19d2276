import type { Random } from "ale/contract/random";
import type { BankAccount, BankItem, LedgerItem, PriorItem } from "../items.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A posting whose entry number is given once all postings are known. */
export type DraftPosting = Writable<LedgerItem>;

export interface BankPart {
  readonly day: number;
  readonly cents: number;
  readonly code: string;
  readonly text: string;
  readonly reversal?: boolean;
  readonly customerReference?: string;
}

/** The month as it grows: statement lines, postings, and what is known of both. */
export class DraftBooks {
  readonly bank: BankItem[] = [];
  readonly ledger: DraftPosting[] = [];
  readonly prior: PriorItem[] = [];
  readonly random: Random;
  readonly period: string;
  readonly lastDay: number;
  readonly #amounts = new Set<number>();
  #document = 20_417;
  #cheque = 4511;

  constructor(random: Random, period: string, periodEnd: string) {
    this.random = random;
    this.period = period;
    this.lastDay = Number(periodEnd.slice(8));
  }

  /** An amount in cents that was not given out before. */
  amount(low: number, high: number): number {
    for (;;) {
      const cents = this.random.integer(low, high);
      if (this.#amounts.has(cents)) continue;
      this.#amounts.add(cents);
      return cents;
    }
  }

  document(prefix: string): string {
    this.#document += this.random.integer(1, 4);
    return `${prefix}-${this.#document}`;
  }

  cheque(): string {
    this.#cheque += this.random.integer(1, 3);
    return String(this.#cheque).padStart(6, "0");
  }

  date(day: number): string {
    return `${this.period}-${String(Math.min(Math.max(day, 1), this.lastDay)).padStart(2, "0")}`;
  }

  /** The day a bank books on: weekends move to the Monday, at the end of the month back to the Friday. */
  bankDate(day: number): string {
    const isOpen = (open: number): boolean =>
      ![0, 6].includes(new Date(`${this.date(open)}T00:00:00Z`).getUTCDay());
    let booked = Math.min(Math.max(day, 1), this.lastDay);
    while (booked < this.lastDay && !isOpen(booked)) booked++;
    while (!isOpen(booked)) booked--;
    return this.date(booked);
  }

  addBank(account: BankAccount, part: BankPart): BankItem {
    const serial = String(7001 + this.bank.length * 13).padStart(6, "0");
    const item: BankItem = {
      account,
      reference: `${account === "1010" ? "N" : "S"}${this.period.slice(2, 4)}${this.period.slice(5)}${serial}`,
      date: this.bankDate(part.day),
      cents: part.cents,
      code: part.code,
      reversal: part.reversal ?? false,
      customerReference: part.customerReference ?? "",
      text: part.text,
    };
    this.bank.push(item);
    return item;
  }

  post(
    account: BankAccount,
    day: number,
    document: string,
    description: string,
    cents: number,
  ): DraftPosting {
    const posting: DraftPosting = { account, entry: "", date: this.date(day), document, description, cents };
    this.ledger.push(posting);
    return posting;
  }

  /** Sorts by date, keeping what was posted first first, and numbers the postings. */
  close(): void {
    this.bank.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    this.ledger.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    for (const [index, posting] of this.ledger.entries()) {
      posting.entry = `J${this.period.slice(5)}${String(index + 101).padStart(4, "0")}`;
    }
  }
}
