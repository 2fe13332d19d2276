import { type Day, endOfPeriod } from "../calendar.ts";
import type { Citation, Conflict, ConflictType } from "../register.ts";
import type { StandingClause } from "./consolidate.ts";
import type { ReadContract } from "./make-register.ts";

const cite = ({ document, number }: StandingClause): Citation => ({ document, clause: number });

/** Conflicts among contracts in force. */
export function findConflicts(contracts: readonly ReadContract[], review: Day): readonly Conflict[] {
  const found: Conflict[] = [];
  for (const [index, one] of contracts.entries()) {
    for (const other of contracts.slice(index + 1)) found.push(...overlap(one, other, review));
    for (const other of contracts) {
      if (one !== other) found.push(...undercut(one, other));
      if (one.standing.framework === other.standing.number) found.push(...departures(one, other));
    }
  }
  return found;
}

function overlap(one: ReadContract, other: ReadContract, review: Day): readonly Conflict[] {
  const [left, right] = [one.says.exclusivity, other.says.exclusivity];
  if (left === undefined || right === undefined || left.product !== right.product) return [];
  if (!left.countries.some((country) => right.countries.includes(country))) return [];
  const ends = [endOfPeriod(left.from, left.months), endOfPeriod(right.from, right.months)] as const;
  const meet = left.from <= ends[1] && right.from <= ends[0] && ends.every((end) => end >= review);
  return meet ? [{ type: "exclusivity_overlap", clauses: [cite(left.clause), cite(right.clause)] }] : [];
}

function undercut(one: ReadContract, other: ReadContract): readonly Conflict[] {
  const { protection, unitPrice: own } = one.says;
  const price = other.says.unitPrice;
  if (protection === undefined || own === undefined || price === undefined) return [];
  const lower = price.price.currency === own.price.currency && price.price.amount < own.price.amount;
  if (price.product !== protection.product || !lower) return [];
  return [{ type: "price_protection_breach", clauses: [cite(protection.clause), cite(price.clause)] }];
}

/** Terms of an order that are not its framework's and name no clause, or the wrong one, to depart from. */
function departures(
  { says: order, last }: ReadContract,
  { says: framework, last: end }: ReadContract,
): readonly Conflict[] {
  const found: Conflict[] = [];
  const compare = <T extends { readonly clause: StandingClause; readonly departs?: string }>(
    type: ConflictType,
    own: T | undefined,
    theirs: T | undefined,
    differs: (own: T, theirs: T) => boolean,
  ): void => {
    if (own === undefined || theirs === undefined || !differs(own, theirs)) return;
    if (own.departs !== theirs.clause.number)
      found.push({ type, clauses: [cite(theirs.clause), cite(own.clause)] });
  };
  compare("order_law", order.law, framework.law, (own, theirs) => own.law !== theirs.law);
  compare(
    "order_term",
    order.fixedEnd,
    framework.fixedEnd,
    () => last !== undefined && end !== undefined && last > end,
  );
  compare(
    "order_liability",
    order.liability,
    framework.liability,
    (own, theirs) => own.cap.amount > theirs.cap.amount,
  );
  compare(
    "order_payment_terms",
    order.terms,
    framework.terms,
    (own, theirs) => own.within.count !== theirs.within.count,
  );
  return found;
}
