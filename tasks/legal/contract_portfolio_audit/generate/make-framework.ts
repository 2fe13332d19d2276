import { addMonths, endOfPeriod } from "../calendar.ts";
import { type Desk, monthsBefore, mustFind } from "./desk.ts";
import type { Provision } from "./provision.ts";
import type { Thread } from "./thread.ts";

/** Framework agreements, each with three orders that keep to it, depart from it or conflict with it. */
export function makeFramework(desk: Desk, count: number): readonly Thread[] {
  return Array.from({ length: count }, (_, index) => {
    const start = desk.plan("framework", 30 + index);
    const lasts: Provision = { kind: "fixed-end", until: endOfPeriod(monthsBefore(desk, 18), 36) };
    const framework = desk.open({ ...start, plan: { ...start.plan, fixed: [lasts] } });
    if (index === 1) {
      const until = addMonths(lasts.until, 12);
      framework.amend(
        [
          {
            mode: "replace",
            clause: mustFind(framework, "fixed-end").number,
            provision: { ...lasts, until },
          },
        ],
        { effect: monthsBefore(desk, 8) },
      );
    }
    const orders = [0, 1, 2].map((at) => placeOrder(desk, start, framework, index, at));
    return [framework, ...orders];
  }).flat();
}

function placeOrder(
  desk: Desk,
  start: ReturnType<Desk["plan"]>,
  framework: Thread,
  index: number,
  at: number,
): Thread {
  const law = mustFind(framework, "law");
  const terms = mustFind(framework, "payment-terms");
  const cap = mustFind(framework, "liability").provision.cap;
  const otherLaw: Provision = { kind: "law", law: law.provision.law === "Ireland" ? "France" : "Ireland" };
  const otherTerms: Provision = { kind: "payment-terms", within: { count: 60, unit: "days" } };
  const kept: readonly Provision[] = [
    law.provision,
    terms.provision,
    { kind: "liability", whose: "counterparty", cap: { ...cap, amount: cap.amount / 2 } },
    { kind: "fixed-end", until: endOfPeriod(monthsBefore(desk, 12), 24) },
  ];
  // By framework and order, which terms differ from the framework's; `departs` names the right clause.
  const others: readonly (readonly Provision[])[] = [
    [otherLaw, { ...otherTerms, departsFrom: terms.number }],
    [
      { kind: "fixed-end", until: endOfPeriod(monthsBefore(desk, 10), 36) },
      { kind: "liability", whose: "counterparty", cap: { ...cap, amount: cap.amount + 250_000 } },
    ],
    [otherTerms, { ...otherLaw, departsFrom: law.number }],
  ];
  const different = others[(at + index) % others.length] as readonly Provision[];
  const fixed = kept.map((item) => different.find(({ kind }) => kind === item.kind) ?? item);
  const effective = monthsBefore(desk, 9 - at);
  const number = `${start.plan.number}/${at + 1}`;
  const { currency, counterparty, client } = start.plan;
  const order = desk.open({
    company: start.company,
    plan: {
      kind: "order",
      number,
      client,
      counterparty,
      effective,
      effectStyle: "date",
      currency,
      framework: start.plan.number,
      fixed,
    },
  });
  if (index === 2 && at === 0) {
    // Cured: the cap comes down to the framework's.
    const own = mustFind(order, "liability");
    const provision = { ...own.provision, cap };
    const effect = monthsBefore(desk, 2);
    order.amend([{ mode: "replace", clause: own.number, provision }], { effect });
  }
  return order;
}
