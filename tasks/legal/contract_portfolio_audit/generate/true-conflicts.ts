import type { Day } from "../calendar.ts";
import type { Conflict, ConflictType } from "../register.ts";
import { type Clause, type Contract, findClause } from "./provision.ts";
import { exclusivityPeriod, finalEnd, inForce } from "./true-register.ts";

/** The pairs of clauses that conflict among the contracts in force. */
export function trueConflicts(contracts: readonly Contract[], reviewDate: Day): readonly Conflict[] {
  const live = contracts.filter((contract) => inForce(contract, reviewDate));
  const orders = live.filter(({ kind }) => kind === "order");
  return [
    ...exclusivities(live, reviewDate),
    ...prices(live),
    ...orders.flatMap((order) => {
      const framework = live.find(({ number }) => number === order.framework);
      return framework === undefined ? [] : againstFramework(order, framework);
    }),
  ];
}

function conflict(type: ConflictType, first: Clause, second: Clause): Conflict {
  const cite = ({ document, number }: Clause) => ({ document, clause: number });
  return { type, clauses: [cite(first), cite(second)] };
}

function exclusivities(live: readonly Contract[], reviewDate: Day): readonly Conflict[] {
  const granted = live.flatMap((contract) => {
    const clause = findClause(contract, "exclusivity");
    if (clause === undefined) return [];
    const [first, last] = exclusivityPeriod(contract, clause.provision);
    return last < reviewDate ? [] : [{ clause, first, last, ...clause.provision }];
  });
  return granted.flatMap((one, index) =>
    granted
      .slice(index + 1)
      .filter(
        (other) =>
          one.product === other.product &&
          one.countries.some((country) => other.countries.includes(country)) &&
          one.first <= other.last &&
          other.first <= one.last,
      )
      .map((other) => conflict("exclusivity_overlap", one.clause, other.clause)),
  );
}

function prices(live: readonly Contract[]): readonly Conflict[] {
  return live.flatMap((contract) => {
    const protection = findClause(contract, "price-protection");
    const own = findClause(contract, "unit-price");
    if (protection === undefined || own === undefined) return [];
    return live.flatMap((other) => {
      const price = other === contract ? undefined : findClause(other, "unit-price");
      if (price === undefined || price.provision.product !== protection.provision.product) return [];
      const { amount, currency } = price.provision.price;
      const lower = currency === own.provision.price.currency && amount < own.provision.price.amount;
      return lower ? [conflict("price_protection_breach", protection, price)] : [];
    });
  });
}

function againstFramework(order: Contract, framework: Contract): readonly Conflict[] {
  const found: Conflict[] = [];
  const test = (
    type: ConflictType,
    theirs: Clause | undefined,
    own: Clause | undefined,
    differs: boolean,
  ): void => {
    if (theirs === undefined || own === undefined || !differs) return;
    const departs = "departsFrom" in own.provision ? own.provision.departsFrom : undefined;
    if (departs !== theirs.number) found.push(conflict(type, theirs, own));
  };
  const [law, ownLaw] = [findClause(framework, "law"), findClause(order, "law")];
  test("order_law", law, ownLaw, law?.provision.law !== ownLaw?.provision.law);

  const term = findClause(framework, "fixed-end");
  const [last, ownLast] = [finalEnd(framework), finalEnd(order)];
  const longer = last !== undefined && ownLast !== undefined && ownLast > last;
  test("order_term", term, findClause(order, "fixed-end"), longer);

  const [cap, ownCap] = [findClause(framework, "liability"), findClause(order, "liability")];
  test(
    "order_liability",
    cap,
    ownCap,
    (ownCap?.provision.cap.amount ?? 0) > (cap?.provision.cap.amount ?? 0),
  );

  const [terms, ownTerms] = [findClause(framework, "payment-terms"), findClause(order, "payment-terms")];
  const differs = terms?.provision.within.count !== ownTerms?.provision.within.count;
  test("order_payment_terms", terms, ownTerms, differs);
  return found;
}
