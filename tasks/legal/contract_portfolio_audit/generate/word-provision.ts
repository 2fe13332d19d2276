import { months, sayDay, sayInstalments, sayList, sayMoney, saySpan } from "./phrases.ts";
import type { Bound, ContractKind, Provision, ReportPeriod } from "./provision.ts";

/** How a contract speaks: the words for its parties, for itself, and one of two styles of drafting. */
export interface Voice {
  readonly client: string;
  readonly counterparty: string;
  readonly noun: string;
  readonly style: 0 | 1;
}

const nouns: Readonly<Record<ContractKind, readonly [client: string, counterparty: string, noun: string]>> = {
  services: ["Customer", "Supplier", "Agreement"],
  distribution: ["Principal", "Distributor", "Agreement"],
  sales: ["Seller", "Buyer", "Agreement"],
  framework: ["Customer", "Supplier", "Framework Agreement"],
  order: ["Customer", "Supplier", "Order"],
};

export function voiceOf(kind: ContractKind, style: 0 | 1): Voice {
  const [client, counterparty, noun] = nouns[kind];
  return { client, counterparty, noun, style };
}

const periods: Readonly<Record<ReportPeriod, string>> = {
  month: "calendar month",
  quarter: "calendar quarter",
  "half-year": "calendar half-year",
  year: "calendar year",
};

/** The text of a clause. */
export function wordProvision(provision: Provision, voice: Voice): string {
  const text = wording(provision, voice);
  const departure = "departsFrom" in provision ? provision.departsFrom : undefined;
  if (departure === undefined) return text;
  const rest = text.charAt(0).toLowerCase() + text.slice(1);
  return `By way of express departure from clause ${departure} of the Framework Agreement, ${rest}`;
}

function wording(provision: Provision, voice: Voice): string {
  const { client, counterparty, noun, style } = voice;
  const named = (bound: Bound): string => (bound === "client" ? client : counterparty);
  const the = (bound: Bound): string => `the ${named(bound)}`;
  const pick = (first: string, second: string): string => (style === 0 ? first : second);
  switch (provision.kind) {
    case "effect": {
      if (provision.style === "signature") {
        return `This ${noun} takes effect on the date of the last signature below (the “Effective Date”).`;
      }
      if (provision.style === "month-after") {
        return `This ${noun} takes effect on the first day of the calendar month that follows the last signature below (the “Effective Date”).`;
      }
      return `This ${noun} takes effect on ${sayDay(provision.date, style)} (the “Effective Date”), whatever the date of signature.`;
    }
    case "term": {
      const length = saySpan({ count: provision.months, unit: "months" }, style);
      return pick(
        `This ${noun} starts on the Effective Date and continues for an initial term of ${length} (the “Initial Term”).`,
        `The initial term of this ${noun} is ${length} from and including the Effective Date (the “Initial Term”).`,
      );
    }
    case "fixed-end":
      return pick(
        `This ${noun} starts on the Effective Date and ends on ${sayDay(provision.until, style)} without further notice.`,
        `This ${noun} remains in force until and including ${sayDay(provision.until, style)}, when it ends by itself.`,
      );
    case "renewal": {
      const notice = saySpan(provision.notice, style);
      const length = saySpan({ count: provision.months, unit: "months" }, style);
      const giver = provision.giver === "both" ? "either party" : the(provision.giver);
      return pick(
        `After the Initial Term this ${noun} renews for successive periods of ${length} (each a “Renewal Period”), unless ${giver} gives the other written notice of non-renewal at least ${notice} before the end of the Initial Term or of the Renewal Period then running.`,
        `Unless ${giver} has given notice of non-renewal not less than ${notice} before the expiry of the period then current, this ${noun} is prolonged automatically by further periods of ${length} each.`,
      );
    }
    case "fee":
      return `The ${named(provision.payer)} shall pay an annual fee of ${sayMoney(provision.annual, style)} (the “Annual Fee”), ${sayInstalments(provision.instalments)}.`;
    case "schedule-fee":
      return `The ${named(provision.payer)} shall pay the Annual Fee. Its amount and the dates on which its instalments fall due are set out in Schedule 2 (Charges), which is kept as a separate document and forms part of this ${noun}.`;
    case "escalation":
      return `On each anniversary of the Effective Date the Annual Fee increases by ${provision.percent} per cent of the Annual Fee last in force. The increased fee applies to instalments that fall due on or after that anniversary.`;
    case "report": {
      const within = saySpan(provision.within, style);
      return pick(
        `Within ${within} after the end of each ${periods[provision.period]} the ${counterparty} shall deliver to the ${client} a written report on ${provision.topic}.`,
        `The ${counterparty} shall report to the ${client} in writing on ${provision.topic} for each ${periods[provision.period]}, no later than ${within} after its close.`,
      );
    }
    case "insurance":
      return `The ${counterparty} shall maintain ${provision.type} insurance with cover of at least ${sayMoney(provision.cover, style)} for each claim, and shall send the ${client} a certificate of that cover no later than ${provision.day} ${months[provision.month - 1]} in each year.`;
    case "exclusivity": {
      const length = saySpan({ count: provision.months, unit: "months" }, style);
      const from = provision.from === undefined ? "the Effective Date" : sayDay(provision.from, style);
      const where = sayList(provision.countries);
      return pick(
        `For ${length} from ${from} the ${client} shall supply ${provision.product} to no distributor or reseller other than the ${counterparty} in ${where}.`,
        `The ${counterparty} is the sole distributor of ${provision.product} in ${where} for a period of ${length} beginning on ${from}, and the ${client} shall appoint no other there.`,
      );
    }
    case "unit-price":
      return `The price of ${provision.product} is ${sayMoney(provision.price, 0)} per unit.`;
    case "price-protection":
      return `Should the ${client} supply ${provision.product} to any other customer at a unit price lower than the one in this ${noun}, it shall offer the ${counterparty} that lower price within ${saySpan(provision.within, style)}.`;
    case "liability": {
      const cap = sayMoney(provision.cap, style);
      const limit =
        provision.percent === undefined
          ? cap
          : `the greater of ${cap} and ${provision.percent} per cent of the Annual Fee then in force`;
      const scope =
        noun === "Framework Agreement"
          ? "under this Framework Agreement and under each Order"
          : `under this ${noun}`;
      const whose = provision.whose === "both" ? "each party" : the(provision.whose);
      return `The total liability of ${whose} ${scope} is limited in any contract year to ${limit}.`;
    }
    case "change-of-control": {
      const within = saySpan(provision.within, style);
      const whose = provision.whose === "both" ? "A party" : `The ${named(provision.whose)}, if it`;
      const verb =
        provision.whose === "both" ? "that undergoes a change of control" : "undergoes a change of control,";
      return `${whose} ${verb} shall notify the other party in writing within ${within} after the change has taken place.`;
    }
    case "assignment": {
      const [none, may, other] =
        provision.whose === "both"
          ? ["Neither party may", "Either party may", "the other party"]
          : [
              `The ${named(provision.whose)} may not`,
              `The ${named(provision.whose)} may`,
              the(provision.whose === "client" ? "counterparty" : "client"),
            ];
      if (provision.rule === "consent") {
        return `${none} assign or transfer this ${noun} or any right under it without the prior written consent of ${other}.`;
      }
      if (provision.rule === "notice") {
        return `${may} assign this ${noun} on giving ${other} written notice; the consent of ${other} is not required.`;
      }
      return `${may} assign this ${noun} and any right under it freely, and needs to give ${other} neither notice nor reason.`;
    }
    case "law":
      return noun === "Framework Agreement"
        ? `This Framework Agreement and every Order are governed by the laws of ${provision.law}.`
        : `This ${noun} is governed by the laws of ${provision.law}.`;
    case "payment-terms":
      return noun === "Framework Agreement"
        ? `Invoices under every Order are payable within ${saySpan(provision.within, style)} after receipt.`
        : `Invoices under this Order are payable within ${saySpan(provision.within, style)} after receipt.`;
    case "filler":
      return provision.text;
  }
}

/** The words in a clause's text that carry its value, where they stand in it once; else `undefined`. */
export function valuePhrase(provision: Provision, voice: Voice): string | undefined {
  switch (provision.kind) {
    case "renewal":
      return saySpan(provision.notice, voice.style);
    case "report":
    case "change-of-control":
    case "price-protection":
    case "payment-terms":
      return saySpan(provision.within, voice.style);
    case "fee":
      return sayMoney(provision.annual, voice.style);
    case "insurance":
      return sayMoney(provision.cover, voice.style);
    case "liability":
      return sayMoney(provision.cap, voice.style);
    case "unit-price":
      return sayMoney(provision.price, 0);
    case "exclusivity":
      return saySpan({ count: provision.months, unit: "months" }, voice.style);
    default:
      return undefined;
  }
}
