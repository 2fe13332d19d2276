import type { Random } from "ale/contract/random";
import { addMonths, type Day } from "../calendar.ts";
import type { ContractPlan } from "./make-contract.ts";
import {
  type Clause,
  type ContractKind,
  findClause,
  type Provision,
  type ProvisionKind,
} from "./provision.ts";
import type { Company, Thread } from "./thread.ts";

/** What the makers of one kind of contract share. */
export interface Desk {
  readonly reviewDate: Day;
  readonly random: Random;
  /** A plan for the next company, in effect some months before the review. */
  plan(
    kind: ContractKind,
    months: number,
    extra?: Partial<ContractPlan>,
  ): { plan: ContractPlan; company: Company };
  open(
    start: { plan: ContractPlan; company: Company },
    options?: ConstructorParameters<typeof Thread>[4],
  ): Thread;
}

/** The clause of a kind that a contract is known to have. */
export function mustFind<K extends ProvisionKind>(
  thread: Thread,
  kind: K,
): Clause & { readonly provision: Extract<Provision, { kind: K }> } {
  const clause = findClause(thread.contract, kind);
  if (clause === undefined) throw new Error(`${thread.contract.number} has no ${kind}`);
  return clause;
}

/** The first day of the month some months before the review. */
export function monthsBefore({ reviewDate }: Desk, months: number): string {
  return `${addMonths(reviewDate, -months).slice(0, 8)}01`;
}

/** A fee drawn anew, for agreements that leave it to a schedule and for amendments. */
export function otherFee(fee: Extract<Provision, { kind: "fee" }>, factor: number): typeof fee {
  const amount = Math.round((fee.annual.amount * factor) / 1200) * 1200;
  return { ...fee, annual: { ...fee.annual, amount } };
}
