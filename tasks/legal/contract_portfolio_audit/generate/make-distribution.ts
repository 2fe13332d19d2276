import { addMonths } from "../calendar.ts";
import { type Desk, monthsBefore, mustFind } from "./desk.ts";
import type { Provision } from "./provision.ts";
import type { Thread } from "./thread.ts";

/** Of the exclusivities: months ago that the contract started, length, what and where. */
const grants = [
  { ago: 20, months: 36, product: "level sensors", countries: ["Austria", "Germany", "Poland"] },
  { ago: 9, months: 30, product: "level sensors", countries: ["Denmark", "Germany"] },
  { ago: 14, months: 40, product: "level sensors", countries: ["Belgium", "France"] },
  { ago: 34, months: 24, product: "level sensors", countries: ["France", "Spain"] },
  { ago: 18, months: 36, product: "dosing pumps", countries: ["Germany", "Italy"] },
  { ago: 26, months: 24, product: "dosing pumps", countries: ["Italy", "Portugal"] },
] as const;

/**
 * Distributors: the first two have one country in common, the third none with them, the fourth's exclusivity is
 * over, the sixth's is prolonged into the fifth's.
 */
export function makeDistribution(desk: Desk, count: number): readonly Thread[] {
  return Array.from({ length: count }, (_, index) => {
    const grant = grants[index % grants.length] as (typeof grants)[number];
    const { months, product, countries } = grant;
    const exclusivity: Provision = { kind: "exclusivity", months, product, countries };
    const start = desk.plan("distribution", grant.ago, { fixed: [exclusivity] });
    const thread = desk.open(start);
    const clause = mustFind(thread, "exclusivity");
    if (index === 0) {
      const insurance = mustFind(thread, "insurance").number;
      thread.amend([{ mode: "delete", clause: insurance }], { effect: monthsBefore(desk, 6) });
    }
    if (index === 2) {
      // Would bring a conflict, were it signed.
      const wider: Provision = { ...exclusivity, countries: ["Belgium", "France", "Germany"] };
      const effect = monthsBefore(desk, 2);
      thread.amend([{ mode: "replace", clause: clause.number, provision: wider }], {
        effect,
        counts: "unsigned",
      });
    }
    if (index === 3) {
      // Granted anew, for other goods.
      const from = addMonths(monthsBefore(desk, 0), -3);
      const anew: Provision = { ...exclusivity, months: 18, from, product: "pressure transmitters" };
      thread.amend(
        [
          { mode: "delete", clause: clause.number },
          {
            mode: "insert",
            section: clause.number.split(".")[0] as string,
            heading: "New exclusivity",
            provision: anew,
          },
        ],
        { effect: from },
      );
    }
    if (index === 5) {
      const longer: Provision = { ...exclusivity, months: 48 };
      thread.amend([{ mode: "words", clause: clause.number, provision: longer }], {
        effect: monthsBefore(desk, 4),
      });
    }
    return thread;
  });
}
