import { type Desk, monthsBefore, mustFind } from "./desk.ts";
import type { Provision } from "./provision.ts";
import type { Thread } from "./thread.ts";

const product = "ultrasonic flow meters";

/** Of the supply agreements: price, whether it is protected, and the price that an amendment makes of it. */
const deals = [
  { currency: "EUR", price: 118.5, kept: true, later: undefined, counts: undefined },
  { currency: "EUR", price: 124.9, kept: false, later: 111.75, counts: "yes" },
  { currency: "GBP", price: 96.4, kept: true, later: undefined, counts: undefined },
  { currency: "EUR", price: 99.8, kept: false, later: undefined, counts: "expired" },
  { currency: "EUR", price: 121.3, kept: true, later: 108.2, counts: "later" },
  { currency: "GBP", price: 97.1, kept: false, later: 92.6, counts: "unsigned" },
] as const;

/** Customers that buy one product: two protected prices are undercut, others only seem to be. */
export function makeSales(desk: Desk, count: number): readonly Thread[] {
  return Array.from({ length: count }, (_, index) => {
    const { currency, price, kept, later, counts } = deals[index % deals.length] as (typeof deals)[number];
    const unit: Provision = { kind: "unit-price", product, price: { amount: price, currency } };
    const over = counts === "expired";
    const without: readonly Provision["kind"][] = [
      ...(kept ? [] : (["price-protection"] as const)),
      ...(over ? (["renewal"] as const) : []),
    ];
    const months = over ? 52 : desk.random.integer(12, 34);
    const thread = desk.open(desk.plan("sales", months, { currency, fixed: [unit], without }));
    if (later !== undefined && !over) {
      const provision: Provision = { ...unit, price: { amount: later, currency } };
      const effect = monthsBefore(desk, counts === "later" ? -4 : 5);
      const mode = index % 2 === 0 ? "replace" : "words";
      thread.amend([{ mode, clause: mustFind(thread, "unit-price").number, provision }], { effect, counts });
    }
    return thread;
  });
}
