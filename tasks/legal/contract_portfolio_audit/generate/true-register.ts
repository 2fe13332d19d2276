import { addDays, addMonths, anniversaries, businessDay, type Day, dayOf, endOfPeriod } from "../calendar.ts";
import type { Obligation, RegisterRow } from "../register.ts";
import { type Bound, type Contract, findClause, type Money, type Provision, type Span } from "./provision.ts";

export interface ReviewSetting {
  readonly reviewDate: Day;
  readonly holidays: ReadonlySet<Day>;
}

type FeeProvision = Extract<Provision, { kind: "fee" }>;

/** The last day of a contract that ends by itself; `undefined` when it renews until somebody gives notice. */
export function finalEnd(contract: Contract): Day | undefined {
  if (contract.ended !== undefined) return contract.ended.on;
  const fixed = findClause(contract, "fixed-end");
  if (fixed !== undefined) return fixed.provision.until;
  return findClause(contract, "renewal") === undefined ? initialEnd(contract) : undefined;
}

export function inForce(contract: Contract, day: Day): boolean {
  return contract.effective <= day && (finalEnd(contract) ?? day) >= day;
}

function initialEnd(contract: Contract, furtherMonths = 0): Day {
  const term = findClause(contract, "term");
  if (term === undefined) throw new Error(`${contract.number} has no term`);
  const { months, extendedBy } = term.provision;
  return endOfPeriod(contract.effective, months + extendedBy + furtherMonths);
}

/** The register's rows of one contract, none when it is not in force. */
export function trueRows(
  contract: Contract,
  { reviewDate, holidays }: ReviewSetting,
): readonly RegisterRow[] {
  if (!inForce(contract, reviewDate)) return [];
  const end = finalEnd(contract);
  const rows: RegisterRow[] = [];
  const nameOf = (bound: Bound): string =>
    bound === "both" ? "both" : bound === "client" ? contract.client : contract.counterparty;
  const add = (
    obligation: Obligation,
    at: { readonly number: string; readonly document: string },
    bound: Bound,
    facts: { readonly day?: Day; readonly rule?: string; readonly money?: Money },
  ): void => {
    rows.push({
      contract: contract.number,
      party: nameOf(bound),
      obligation,
      due_date: facts.day ?? "",
      rule: facts.rule ?? "",
      amount: facts.money === undefined ? "" : facts.money.amount.toFixed(2),
      currency: facts.money?.currency ?? "",
      document: at.document,
      clause: at.number,
    });
  };

  const term = findClause(contract, "term") ?? findClause(contract, "fixed-end");
  const renewal = contract.ended === undefined ? findClause(contract, "renewal") : undefined;
  if (contract.ended !== undefined) {
    add("term_end", { number: "1", document: contract.ended.document }, "both", { day: contract.ended.on });
  } else if (term !== undefined) {
    const ends = renewal === undefined ? [end as Day] : periodEnds(contract, renewal.provision.months);
    add("term_end", term, "both", { day: ends.find((day) => day >= reviewDate) as Day });
    if (renewal !== undefined) {
      const { notice, giver } = renewal.provision;
      const deadlines = ends.map((day) => businessDay(before(day, notice), -1, holidays));
      add("non_renewal_notice", renewal, giver, { day: deadlines.find((day) => day >= reviewDate) as Day });
    }
  }

  const next = (days: readonly Day[]): { readonly nominal: Day; readonly due: Day } | undefined => {
    const found = days.toSorted().find((day) => businessDay(day, 1, holidays) >= reviewDate);
    if (found === undefined || (end !== undefined && found > end)) return undefined;
    return { nominal: found, due: businessDay(found, 1, holidays) };
  };
  const year = Number(reviewDate.slice(0, 4));
  const years = [year - 1, year, year + 1];

  const own = findClause(contract, "fee");
  const fee: FeeProvision | undefined = contract.schedule?.fee ?? own?.provision;
  const percent = findClause(contract, "escalation")?.provision.percent ?? 0;
  const feeOn = (day: Day): number =>
    (fee?.annual.amount ?? 0) * (1 + percent / 100) ** anniversaries(contract.effective, day);
  if (fee !== undefined) {
    const { perYear, day, firstMonth } = fee.instalments;
    const dates = years.flatMap((item) =>
      Array.from({ length: perYear }, (_, index) => dayOf(item, firstMonth + (index * 12) / perYear, day)),
    );
    const due = next(dates.filter((date) => date >= contract.effective));
    const at =
      contract.schedule === undefined
        ? (own as NonNullable<typeof own>)
        : { number: "Schedule 2", document: contract.schedule.document };
    if (due !== undefined) {
      const amount = roundCents(feeOn(due.nominal) / perYear);
      add("payment", at, fee.payer, { day: due.due, money: { amount, currency: fee.annual.currency } });
    }
  }

  const report = findClause(contract, "report");
  if (report !== undefined) {
    const step = { month: 1, quarter: 3, "half-year": 6, year: 12 }[report.provision.period];
    const dates = years.flatMap((item) =>
      Array.from({ length: 12 / step }, (_, index) =>
        addDays(dayOf(item, (index + 1) * step + 1, 0), report.provision.within.count),
      ),
    );
    const due = next(dates);
    if (due !== undefined) add("report", report, "counterparty", { day: due.due });
  }

  const insurance = findClause(contract, "insurance");
  if (insurance !== undefined) {
    const { month, day, cover } = insurance.provision;
    const due = next(years.map((item) => dayOf(item, month, day)));
    if (due !== undefined) {
      add("insurance_certificate", insurance, "counterparty", { day: due.due, money: cover });
    }
  }

  const exclusivity = findClause(contract, "exclusivity");
  if (exclusivity !== undefined) {
    const last = exclusivityPeriod(contract, exclusivity.provision)[1];
    if (last >= reviewDate) add("exclusivity", exclusivity, "client", { day: last });
  }

  const protection = findClause(contract, "price-protection");
  const price = findClause(contract, "unit-price");
  if (protection !== undefined && price !== undefined) {
    const rule = ruleOf(protection.provision.within);
    add("price_protection", protection, "client", { rule, money: price.provision.price });
  }

  const liability = findClause(contract, "liability");
  if (liability !== undefined) {
    const { cap, percent: share, whose } = liability.provision;
    const amount = Math.max(cap.amount, roundCents((feeOn(reviewDate) * (share ?? 0)) / 100));
    add("liability_cap", liability, whose, { money: { amount, currency: cap.currency } });
  }

  const control = findClause(contract, "change-of-control");
  if (control !== undefined) {
    add("change_of_control_notice", control, control.provision.whose, {
      rule: ruleOf(control.provision.within),
    });
  }
  const assignment = findClause(contract, "assignment");
  if (assignment !== undefined) {
    add("assignment", assignment, assignment.provision.whose, { rule: assignment.provision.rule });
  }
  return rows;
}

/** First and last day of an exclusivity. */
export function exclusivityPeriod(
  contract: Contract,
  { from, months }: Extract<Provision, { kind: "exclusivity" }>,
): readonly [Day, Day] {
  const start = from ?? contract.effective;
  return [start, endOfPeriod(start, months)];
}

function periodEnds(contract: Contract, months: number): readonly Day[] {
  return Array.from({ length: 12 }, (_, index) => initialEnd(contract, index * months));
}

function before(day: Day, { count, unit }: Span): Day {
  return unit === "months" ? addMonths(day, -count) : addDays(day, -count);
}

function ruleOf({ count, unit }: Span): string {
  return `${count} ${unit}`;
}

/** Half a cent goes up. */
function roundCents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}
