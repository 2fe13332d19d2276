import type { Random } from "ale/contract/random";
import { addMonths, dayOf } from "../calendar.ts";
import type { Params } from "../params.ts";
import { companies } from "./catalogue.ts";
import type { Desk } from "./desk.ts";
import { makeDistribution } from "./make-distribution.ts";
import { makeFramework } from "./make-framework.ts";
import { makeSales } from "./make-sales.ts";
import { makeServices } from "./make-services.ts";
import { Thread } from "./thread.ts";

/** All contracts of the portfolio with their documents. */
export function makePortfolio(params: Params, random: Random): readonly Thread[] {
  const queue = random.shuffle(companies);
  const taken = new Set<string>();
  const numbers = random.shuffle(Array.from({ length: 400 }, (_, index) => index + 101));
  const prefix = params.client
    .split(" ")
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join("");
  const desk: Desk = {
    reviewDate: params.review_date,
    random,
    plan(kind, months, extra = {}) {
      const [short, name, seat] = queue.pop() as (typeof companies)[number];
      const effectStyle = random.pick(["date", "signature", "month-after"] as const);
      const month = addMonths(params.review_date, -months).split("-").map(Number) as [number, number, number];
      const effective = dayOf(month[0], month[1], effectStyle === "month-after" ? 1 : random.integer(1, 28));
      const number = `${prefix}-${effective.slice(0, 4)}-${numbers.pop()}`;
      const currency = random.pick(["EUR", "EUR", "GBP", "USD"]);
      const plan = {
        kind,
        number,
        client: params.client,
        counterparty: name,
        effective,
        effectStyle,
        currency,
      };
      return { plan: { ...plan, ...extra }, company: { short, name, seat } };
    },
    open: ({ plan, company }, options) => new Thread(plan, company, taken, random.fork(plan.number), options),
  };
  return [
    ...makeServices(desk, params.services),
    ...makeDistribution(desk, params.distribution),
    ...makeSales(desk, params.sales),
    ...makeFramework(desk, params.frameworks),
  ];
}
