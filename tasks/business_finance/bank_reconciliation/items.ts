/** General-ledger accounts of the two bank accounts. */
export type BankAccount = "1010" | "1020";

/** A line of a bank statement. Amounts are signed cents: what the account gains. Dates are YYYY-MM-DD. */
export interface BankItem {
  readonly account: BankAccount;
  readonly reference: string;
  readonly date: string;
  readonly cents: number;
  /** SWIFT transaction type, such as TRF; the CSV bank has a word for it. */
  readonly code: string;
  /** The line takes an earlier one back. */
  readonly reversal: boolean;
  /** Reference of the customer, such as a cheque number; may be empty. */
  readonly customerReference: string;
  readonly text: string;
}

/** A posting to a bank account in the ledger; signed cents as in {@link BankItem}. */
export interface LedgerItem {
  readonly account: BankAccount;
  readonly entry: string;
  readonly date: string;
  readonly document: string;
  readonly description: string;
  readonly cents: number;
}

/** Left open by the reconciliation of the month before; signed cents. */
export interface PriorItem {
  readonly account: BankAccount;
  readonly item: string;
  readonly kind: "cheque" | "deposit";
  readonly date: string;
  readonly document: string;
  readonly cents: number;
}

/** A bank line and the posting, or prior item, that it settles; the amount is the posting's. */
export interface Match {
  readonly account: BankAccount;
  readonly bank: string;
  readonly ledger: string;
  readonly cents: number;
}

export type ItemClass = "deposit_in_transit" | "outstanding_cheque" | "book_adjustment";

/** A reconciling item: positive for deposits and cheques, signed for adjustments of the books. */
export interface ReconcilingItem {
  readonly account: BankAccount;
  readonly itemClass: ItemClass;
  readonly reference: string;
  readonly date: string;
  readonly cents: number;
}

export interface JournalEntry {
  readonly date: string;
  readonly reference: string;
  /** Debits positive, credits negative; they sum to 0. */
  readonly lines: readonly { readonly account: string; readonly cents: number }[];
}

export interface Reconciliation {
  readonly matches: readonly Match[];
  readonly items: readonly ReconcilingItem[];
  readonly entries: readonly JournalEntry[];
  readonly balances: Readonly<Record<BankAccount, { readonly bank: number; readonly book: number }>>;
}

export const bankAccounts: readonly BankAccount[] = ["1010", "1020"];
