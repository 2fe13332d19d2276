import type { Random } from "ale/contract/random";
import { addMonths, type Day } from "../calendar.ts";
import { countries, fillers, insuranceTypes, laws, topics } from "./catalogue.ts";
import type { Contract, ContractKind, Instalments, Money, Provision, Section } from "./provision.ts";
import { voiceOf } from "./word-provision.ts";

/** What is settled beforehand of a contract; the rest is drawn. */
export interface ContractPlan {
  readonly kind: ContractKind;
  readonly number: string;
  readonly client: string;
  readonly counterparty: string;
  readonly effective: Day;
  readonly effectStyle: "date" | "signature" | "month-after";
  readonly currency: string;
  readonly framework?: string;
  /** Provisions to use in place of drawn ones, and those to leave out. */
  readonly fixed?: readonly Provision[];
  readonly without?: readonly Provision["kind"][];
  /** A provision more at the head of a section. */
  readonly added?: Readonly<Record<string, Provision>>;
}

type Group = readonly [heading: string, provisions: readonly Provision[]];

/** A contract with its clauses in an order and numbering of its own. */
export function makeContract(plan: ContractPlan, document: string, random: Random): Contract {
  const style = random.pick([0, 1] as const);
  const groups = drawGroups(plan, random)
    .map(([heading, provisions]): Group => {
      const settled = provisions.flatMap((item) => settle(item, plan));
      const added = plan.added?.[heading];
      return [heading, added === undefined ? settled : [added, ...settled]];
    })
    .filter(([, provisions]) => provisions.length > 0);
  const noun = voiceOf(plan.kind, style).noun;
  const padding = random.shuffle(fillers).slice(0, plan.kind === "order" ? 2 : random.integer(4, 6));
  const padded = padding.map(
    ([heading, texts]): Group => [
      heading,
      texts.map((text) => ({ kind: "filler", text: text.replaceAll("{noun}", noun) })),
    ],
  );
  const effect: Provision = { kind: "effect", style: plan.effectStyle, date: plan.effective };
  const opening: Group = ["Definitions and effect", [effect, ...definitions(noun)]];
  const sections = [opening, ...random.shuffle([...groups, ...padded])].map(
    ([heading, provisions], index): Section => ({
      number: String(index + 1),
      heading,
      clauses: provisions.map((provision, at) => ({ number: `${index + 1}.${at + 1}`, provision, document })),
    }),
  );
  const { kind, number, client, counterparty, effective } = plan;
  const under = plan.framework === undefined ? {} : { framework: plan.framework };
  return { kind, number, client, counterparty, effective, sections, voice: style, ...under };
}

function settle(drawn: Provision, plan: ContractPlan): readonly Provision[] {
  if (plan.without?.includes(drawn.kind) === true) return [];
  return [plan.fixed?.find(({ kind }) => kind === drawn.kind) ?? drawn];
}

function definitions(noun: string): readonly Provision[] {
  if (noun === "Order") return [];
  const text =
    "A change of control takes place when another person acquires more than half of the voting rights in a party. A Business Day is a day other than a Saturday, a Sunday or a public holiday.";
  return [{ kind: "filler", text }];
}

function drawGroups(plan: ContractPlan, random: Random): readonly Group[] {
  const money = (amount: number): Money => ({ amount, currency: plan.currency });
  const whose = random.pick(["counterparty", "both"] as const);
  const law: Group = ["Governing law", [{ kind: "law", law: random.pick(laws) }]];
  const liability = (cap: number, percent?: number): Group => [
    "Liability",
    [
      { kind: "filler", text: "Nothing limits liability for fraud, wilful misconduct or injury to persons." },
      { kind: "liability", whose, cap: money(cap), ...(percent === undefined ? {} : { percent }) },
    ],
  ];
  const cap = random.integer(5, 40) * 50_000;
  if (plan.kind === "order") {
    const until = addMonths(plan.effective, 36);
    return [
      ["Term", [{ kind: "fixed-end", until }]],
      [
        "Charges",
        [
          drawFee(money(random.integer(20, 90) * 1200), "client", random),
          { kind: "payment-terms", within: { count: 30, unit: "days" } },
        ],
      ],
      ["Liability", [{ kind: "liability", whose: "counterparty", cap: money(cap) }]],
      law,
    ];
  }
  const standing: readonly Group[] = [
    ["Assignment and change of control", [drawAssignment(random), drawChangeOfControl(random)]],
    law,
  ];
  if (plan.kind === "framework") {
    const orders =
      "An Order may depart from this Framework Agreement only where it says so expressly and names the clause from which it departs. Any other term of an Order that is inconsistent with this Framework Agreement is in conflict with it.";
    return [
      ["Term", [{ kind: "fixed-end", until: addMonths(plan.effective, 48) }]],
      ["Orders", [{ kind: "filler", text: orders }]],
      ["Invoices", [{ kind: "payment-terms", within: { count: random.pick([30, 45]), unit: "days" } }]],
      ["Liability", [{ kind: "liability", whose: "counterparty", cap: money(cap) }]],
      ...standing,
    ];
  }
  const term: Group = ["Term and renewal", drawTerm(random)];
  if (plan.kind === "sales") {
    const product = "ultrasonic flow meters";
    const price = money(random.integer(900, 1500) / 10);
    const within = { count: random.pick([14, 30, 45]), unit: "days" } as const;
    return [
      term,
      [
        "Prices",
        [
          { kind: "unit-price", product, price },
          { kind: "price-protection", product, within },
        ],
      ],
      liability(cap),
      ...standing,
    ];
  }
  const services = plan.kind === "services";
  const fee = drawFee(money(random.integer(30, 260) * 1200), services ? "client" : "counterparty", random);
  return [
    term,
    ["Fees", [fee, { kind: "escalation", percent: random.pick([2, 2.5, 3, 4]) }]],
    ["Reports", [drawReport(random)]],
    ["Insurance", [drawInsurance(plan.currency, random)]],
    ...(services ? [] : [drawExclusivity(random)]),
    liability(cap, services ? random.pick([100, 125, 150, 200]) : undefined),
    ...standing,
  ];
}

function drawTerm(random: Random): readonly Provision[] {
  const notice = random.pick([
    { count: 60, unit: "days" },
    { count: 90, unit: "days" },
    { count: 120, unit: "days" },
    { count: 3, unit: "months" },
    { count: 6, unit: "months" },
  ] as const);
  const giver = random.pick(["both", "both", "client", "counterparty"] as const);
  return [
    { kind: "term", months: random.pick([18, 24, 30, 36]), extendedBy: 0 },
    { kind: "renewal", months: random.pick([12, 24]), notice, giver },
  ];
}

function drawFee(annual: Money, payer: "client" | "counterparty", random: Random): Provision {
  const perYear = random.pick([1, 2, 4, 12] as const);
  const firstMonth = perYear === 12 ? 1 : random.integer(1, 12 / perYear);
  const instalments: Instalments = { perYear, firstMonth, day: random.pick([1, 5, 10, 15, 20, 25]) };
  return { kind: "fee", annual, instalments, payer };
}

function drawReport(random: Random): Provision {
  const period = random.pick(["month", "quarter", "half-year", "year"] as const);
  const within = { count: random.pick([10, 15, 20, 30, 45]), unit: "days" } as const;
  return { kind: "report", within, period, topic: random.pick(topics) };
}

function drawInsurance(currency: string, random: Random): Provision {
  const cover = { amount: random.pick([1, 2, 2.5, 5, 10]) * 1e6, currency };
  const [month, day] = [random.integer(1, 12), random.integer(1, 28)];
  return { kind: "insurance", cover, month, day, type: random.pick(insuranceTypes) };
}

function drawExclusivity(random: Random): Group {
  const where = random.shuffle(countries).slice(0, random.integer(2, 4)).sort();
  const provision: Provision = {
    kind: "exclusivity",
    months: 36,
    product: "level sensors",
    countries: where,
  };
  return ["Exclusivity", [provision]];
}

function drawAssignment(random: Random): Provision {
  const rule = random.pick(["consent", "consent", "notice", "free"] as const);
  return { kind: "assignment", rule, whose: random.pick(["counterparty", "both"] as const) };
}

function drawChangeOfControl(random: Random): Provision {
  const unit = random.pick(["days", "business days"] as const);
  const count = random.pick([5, 10, 15, 20, 30]);
  return {
    kind: "change-of-control",
    within: { count, unit },
    whose: random.pick(["counterparty", "both"] as const),
  };
}
