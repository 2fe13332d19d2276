import { addDays, addMonths, anniversaries, businessDay, type Day, dayOf, endOfPeriod } from "../calendar.ts";
import type { Obligation, RegisterRow } from "../register.ts";
import type { StandingContract } from "./consolidate.ts";
import { type Understood, understand } from "./understand.ts";
import { type Length, readInstalments, readSum, type Sum } from "./wording.ts";

export interface ReadContract {
  readonly standing: StandingContract;
  readonly says: Understood;
  /** The last day, of a contract that does not renew. */
  readonly last: Day | undefined;
}

export function readContract(standing: StandingContract): ReadContract {
  const says = understand(standing);
  const renews = says.renewal !== undefined && standing.ended === undefined;
  const last =
    standing.ended?.on ?? says.fixedEnd?.until ?? (renews ? undefined : endOfTerm(standing, says, 0));
  return { standing, says, last };
}

function endOfTerm(standing: StandingContract, says: Understood, further: number): Day {
  if (says.term === undefined) throw new Error(`${standing.number} has no term`);
  return endOfPeriod(standing.effective, says.term.months + standing.extension + further);
}

export function isInForce({ standing, last }: ReadContract, day: Day): boolean {
  return standing.effective <= day && (last === undefined || last >= day);
}

interface Facts {
  readonly day?: Day;
  readonly rule?: string;
  readonly sum?: Sum;
}

/** The register's rows of a contract in force. */
export function makeRegister(
  contract: ReadContract,
  review: Day,
  holidays: ReadonlySet<Day>,
): readonly RegisterRow[] {
  const { standing, says, last } = contract;
  const rows: RegisterRow[] = [];
  const list = (
    obligation: Obligation,
    at: { readonly number: string; readonly document: string },
    party: string,
    facts: Facts,
  ): void => {
    const name = /^(each|either|neither|a) party$/i.test(party)
      ? "both"
      : standing.roles.get(party.replace(/^the /i, ""));
    if (name === undefined) throw new Error(`${standing.number}: who is ${party}?`);
    rows.push({
      contract: standing.number,
      party: name,
      obligation,
      due_date: facts.day ?? "",
      rule: facts.rule ?? "",
      amount: facts.sum?.amount.toFixed(2) ?? "",
      currency: facts.sum?.currency ?? "",
      document: at.document,
      clause: at.number,
    });
  };
  const next = (days: readonly Day[]): Day | undefined => {
    const day = days
      .toSorted()
      .find((item) => item >= standing.effective && businessDay(item, 1, holidays) >= review);
    return day === undefined || (last !== undefined && day > last) ? undefined : day;
  };
  const onOrAfter = (day: Day): Day => businessDay(day, 1, holidays);
  const around = [-1, 0, 1].map((step) => Number(review.slice(0, 4)) + step);
  const yearly = (days: readonly (readonly [month: number, day: number])[]): readonly Day[] =>
    around.flatMap((year) => days.map(([month, day]) => dayOf(year, month, day)));

  const term = says.term ?? says.fixedEnd;
  if (standing.ended !== undefined) {
    list("term_end", { number: "1", document: standing.ended.document }, "each party", {
      day: standing.ended.on,
    });
  } else if (last !== undefined && term !== undefined) {
    list("term_end", term.clause, "each party", { day: last });
  } else if (says.renewal !== undefined && term !== undefined) {
    const { months, notice, giver, clause } = says.renewal;
    const ends = Array.from({ length: 40 }, (_, index) => endOfTerm(standing, says, index * months));
    list("term_end", term.clause, "each party", { day: ends.find((day) => day >= review) as Day });
    const deadlines = ends.map((day) => businessDay(before(day, notice), -1, holidays));
    list("non_renewal_notice", clause, giver, { day: deadlines.find((day) => day >= review) as Day });
  }

  const fee = feeOf(standing, says);
  const growth = 1 + (says.escalation?.percent ?? 0) / 100;
  const annualOn = (day: Day): number =>
    (fee?.annual.amount ?? 0) * growth ** anniversaries(standing.effective, day);
  if (fee !== undefined) {
    const day = next(yearly(fee.days));
    if (day !== undefined) {
      const sum = { amount: cents(annualOn(day) / fee.days.length), currency: fee.annual.currency };
      list("payment", fee.at, fee.payer, { day: onOrAfter(day), sum });
    }
  }
  if (says.report !== undefined) {
    const { months, within, by, clause } = says.report;
    const ends = around.flatMap((year) =>
      Array.from({ length: 12 / months }, (_, index) => dayOf(year, (index + 1) * months + 1, 0)),
    );
    const day = next(ends.map((end) => addDays(end, within.count)));
    if (day !== undefined) list("report", clause, by, { day: onOrAfter(day) });
  }
  if (says.insurance !== undefined) {
    const { by, cover, clause } = says.insurance;
    const day = next(yearly([says.insurance.day]));
    if (day !== undefined) list("insurance_certificate", clause, by, { day: onOrAfter(day), sum: cover });
  }
  if (says.exclusivity !== undefined) {
    const { from, months, by, clause } = says.exclusivity;
    const day = endOfPeriod(from, months);
    if (day >= review) list("exclusivity", clause, by, { day });
  }
  if (says.protection !== undefined && says.unitPrice !== undefined) {
    const { by, within, clause } = says.protection;
    list("price_protection", clause, by, { rule: ruleOf(within), sum: says.unitPrice.price });
  }
  if (says.liability !== undefined) {
    const { cap, percent, whose, clause } = says.liability;
    const amount = Math.max(cap.amount, cents((annualOn(review) * percent) / 100));
    list("liability_cap", clause, whose, { sum: { amount, currency: cap.currency } });
  }
  if (says.control !== undefined) {
    list("change_of_control_notice", says.control.clause, says.control.whose, {
      rule: ruleOf(says.control.within),
    });
  }
  if (says.assignment !== undefined) {
    list("assignment", says.assignment.clause, says.assignment.whose, { rule: says.assignment.rule });
  }
  return rows;
}

/** The fee clause, or the row of the charges schedule that it refers to. */
function feeOf({ schedule }: StandingContract, says: Understood) {
  if (says.fee !== undefined) return { ...says.fee, at: says.fee.clause };
  if (says.scheduleFee === undefined || schedule === undefined) return undefined;
  const row = schedule.paragraphs.find(({ text }) => text.startsWith("Annual Fee | "));
  const [, amount, , due] = row?.text.split(" | ") ?? [];
  if (amount === undefined || due === undefined) throw new Error(`${schedule.name} states no Annual Fee`);
  const at = { number: "Schedule 2", document: schedule.name };
  return { annual: readSum(amount), days: readInstalments(due), payer: says.scheduleFee.payer, at };
}

function before(day: Day, { count, unit }: Length): Day {
  return unit === "months" ? addMonths(day, -count) : addDays(day, -count);
}

function ruleOf({ count, unit }: Length): string {
  return `${count} ${unit}`;
}

/** Half a cent goes up. */
function cents(amount: number): number {
  return Math.round(amount * 100 + 1e-6) / 100;
}
