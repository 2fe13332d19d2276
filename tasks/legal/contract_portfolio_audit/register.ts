/** What the register lists: at most one row of each for a contract. */
export const obligations = [
  "term_end",
  "non_renewal_notice",
  "payment",
  "report",
  "insurance_certificate",
  "exclusivity",
  "price_protection",
  "liability_cap",
  "change_of_control_notice",
  "assignment",
] as const;

export type Obligation = (typeof obligations)[number];

export const columns = [
  "contract",
  "party",
  "obligation",
  "due_date",
  "rule",
  "amount",
  "currency",
  "document",
  "clause",
] as const;

/** A row of `obligations.csv`; what does not apply is empty. */
export type RegisterRow = Readonly<Record<(typeof columns)[number], string>>;

export const conflictTypes = [
  "exclusivity_overlap",
  "price_protection_breach",
  "order_law",
  "order_term",
  "order_liability",
  "order_payment_terms",
] as const;

export type ConflictType = (typeof conflictTypes)[number];

/** Where a provision stands: a file of `input/contracts/` and a clause number of the agreement. */
export interface Citation {
  readonly document: string;
  readonly clause: string;
}

/** An entry of `conflicts.json`; the order of its two clauses means nothing. */
export interface Conflict {
  readonly type: ConflictType;
  readonly clauses: readonly [Citation, Citation];
}

/** The hidden reference, `truth.json`. */
export interface Truth {
  readonly rows: readonly RegisterRow[];
  readonly conflicts: readonly Conflict[];
}
