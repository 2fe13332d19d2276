import type { Day } from "../calendar.ts";

export type Bound = "client" | "counterparty" | "both";

/** A length of time as agreements state it. */
export interface Span {
  readonly count: number;
  readonly unit: "days" | "business days" | "months";
}

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Months of the year in which instalments fall due, on one day of the month. */
export interface Instalments {
  readonly perYear: 1 | 2 | 4 | 12;
  readonly day: number;
  readonly firstMonth: number;
}

export type ReportPeriod = "month" | "quarter" | "half-year" | "year";

/** What a clause means. The wording is made from it, and so is the truth. */
export type Provision =
  | { readonly kind: "effect"; readonly style: "date" | "signature" | "month-after"; readonly date: Day }
  | { readonly kind: "term"; readonly months: number; readonly extendedBy: number }
  | { readonly kind: "fixed-end"; readonly until: Day; readonly departsFrom?: string }
  | { readonly kind: "renewal"; readonly months: number; readonly notice: Span; readonly giver: Bound }
  | { readonly kind: "fee"; readonly annual: Money; readonly instalments: Instalments; readonly payer: Bound }
  | { readonly kind: "schedule-fee"; readonly payer: Bound }
  | { readonly kind: "escalation"; readonly percent: number }
  | { readonly kind: "report"; readonly within: Span; readonly period: ReportPeriod; readonly topic: string }
  | {
      readonly kind: "insurance";
      readonly cover: Money;
      readonly month: number;
      readonly day: number;
      readonly type: string;
    }
  | {
      readonly kind: "exclusivity";
      readonly months: number;
      /** Absent: from the Effective Date. */
      readonly from?: Day;
      readonly product: string;
      readonly countries: readonly string[];
    }
  | { readonly kind: "unit-price"; readonly product: string; readonly price: Money }
  | { readonly kind: "price-protection"; readonly product: string; readonly within: Span }
  | {
      readonly kind: "liability";
      readonly whose: Bound;
      readonly cap: Money;
      readonly percent?: number;
      readonly departsFrom?: string;
    }
  | { readonly kind: "change-of-control"; readonly within: Span; readonly whose: Bound }
  | {
      readonly kind: "assignment";
      readonly rule: "consent" | "notice" | "free";
      readonly whose: Bound;
    }
  | { readonly kind: "law"; readonly law: string; readonly departsFrom?: string }
  | { readonly kind: "payment-terms"; readonly within: Span; readonly departsFrom?: string }
  | { readonly kind: "filler"; readonly text: string };

export type ProvisionKind = Provision["kind"];

export interface Clause {
  readonly number: string;
  readonly provision: Provision;
  /** The file whose text fixes it now. */
  readonly document: string;
}

export interface Section {
  readonly number: string;
  readonly heading: string;
  readonly clauses: readonly Clause[];
}

export type ContractKind = "services" | "distribution" | "sales" | "framework" | "order";

/** A contract as it stands after the documents made so far. */
export interface Contract {
  readonly kind: ContractKind;
  readonly number: string;
  readonly client: string;
  readonly counterparty: string;
  readonly effective: Day;
  readonly sections: readonly Section[];
  /** Of an order: its framework agreement's number. */
  readonly framework?: string;
  /** Where the charges are in a document of their own. */
  readonly schedule?: { readonly document: string; readonly fee: Extract<Provision, { kind: "fee" }> };
  /** Ended by agreement, early. */
  readonly ended?: { readonly on: Day; readonly document: string };
  readonly voice: 0 | 1;
}

export function clausesOf(contract: Contract): readonly Clause[] {
  return contract.sections.flatMap((section) => section.clauses);
}

/** The clause of a kind, with its provision narrowed. */
export function findClause<K extends ProvisionKind>(
  contract: Contract,
  kind: K,
): (Clause & { readonly provision: Extract<Provision, { kind: K }> }) | undefined {
  const found = clausesOf(contract).find((clause) => clause.provision.kind === kind);
  return found as (Clause & { readonly provision: Extract<Provision, { kind: K }> }) | undefined;
}
