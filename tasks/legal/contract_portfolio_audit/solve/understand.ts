import type { Day } from "../calendar.ts";
import type { StandingClause, StandingContract } from "./consolidate.ts";
import {
  datePattern,
  type Length,
  moneyPattern,
  readDate,
  readDaysOfYear,
  readInstalments,
  readLength,
  readSum,
  type Sum,
  spanPattern,
} from "./wording.ts";

type Found<T> = T & { readonly clause: StandingClause; readonly departs?: string };

/** What the clauses of a contract say, by what they are about. */
export interface Understood {
  readonly term?: Found<{ readonly months: number }>;
  readonly fixedEnd?: Found<{ readonly until: Day }>;
  readonly renewal?: Found<{ readonly months: number; readonly notice: Length; readonly giver: string }>;
  readonly fee?: Found<{
    readonly annual: Sum;
    readonly days: readonly (readonly [month: number, day: number])[];
    readonly payer: string;
  }>;
  readonly scheduleFee?: Found<{ readonly payer: string }>;
  readonly escalation?: Found<{ readonly percent: number }>;
  readonly report?: Found<{ readonly within: Length; readonly months: number; readonly by: string }>;
  readonly insurance?: Found<{
    readonly cover: Sum;
    readonly day: readonly [month: number, day: number];
    readonly by: string;
  }>;
  readonly exclusivity?: Found<{
    readonly from: Day;
    readonly months: number;
    readonly product: string;
    readonly countries: readonly string[];
    readonly by: string;
  }>;
  readonly unitPrice?: Found<{ readonly product: string; readonly price: Sum }>;
  readonly protection?: Found<{ readonly product: string; readonly within: Length; readonly by: string }>;
  readonly liability?: Found<{ readonly cap: Sum; readonly percent: number; readonly whose: string }>;
  readonly control?: Found<{ readonly within: Length; readonly whose: string }>;
  readonly assignment?: Found<{ readonly rule: "consent" | "notice" | "free"; readonly whose: string }>;
  readonly law?: Found<{ readonly law: string }>;
  readonly terms?: Found<{ readonly within: Length }>;
}

type Reader = (match: RegExpExecArray, contract: StandingContract) => object;
const span = spanPattern;
const periods: Readonly<Record<string, number>> = { month: 1, quarter: 3, "half-year": 6, year: 12 };
const periodPattern = "calendar (month|quarter|half-year|year)";

/** Patterns of legal wording, what each is about, and what to take from it. */
const readers: readonly (readonly [about: keyof Understood, pattern: string, read: Reader])[] = [
  ["term", `continues for an initial term of ${span}`, (m) => ({ months: readLength(m[1], m[2]).count })],
  [
    "term",
    `^The initial term of this .*? is ${span} from and including`,
    (m) => ({ months: readLength(m[1], m[2]).count }),
  ],
  [
    "fixedEnd",
    `(?:and ends on|until and including) ${datePattern}`,
    (m) => ({ until: readDate(m[1] as string) }),
  ],
  [
    "renewal",
    `renews for successive periods of ${span}.*?unless (.*?) gives .*?at least ${span} before`,
    renewal(1, 4, 3),
  ],
  [
    "renewal",
    `^Unless (.*?) has given notice of non-renewal not less than ${span} before .*?further periods of ${span} each`,
    renewal(4, 2, 1),
  ],
  [
    "fee",
    `^The (\\w+) shall pay an annual fee of ${moneyPattern} \\(the “Annual Fee”\\), (.*)$`,
    (m) => ({ payer: m[1], annual: readSum(m[2]), days: readInstalments(m[3] as string) }),
  ],
  [
    "scheduleFee",
    "^The (\\w+) shall pay the Annual Fee\\. Its amount .* set out in Schedule",
    (m) => ({ payer: m[1] }),
  ],
  [
    "escalation",
    "On each anniversary .*? increases by ([\\d.]+) per cent",
    (m) => ({ percent: Number(m[1]) }),
  ],
  [
    "report",
    `^Within ${span} after the end of each ${periodPattern} the (\\w+) shall deliver`,
    (m) => ({ within: readLength(m[1], m[2]), months: periods[m[3] as string], by: m[4] }),
  ],
  [
    "report",
    `^The (\\w+) shall report to .*? for each ${periodPattern}, no later than ${span}`,
    (m) => ({ within: readLength(m[3], m[4]), months: periods[m[2] as string], by: m[1] }),
  ],
  [
    "insurance",
    `^The (\\w+) shall maintain .*? cover of at least ${moneyPattern} for each claim.*? no later than (.*) in each year`,
    (m) => ({ by: m[1], cover: readSum(m[2]), day: readDaysOfYear(m[3] as string)[0] }),
  ],
  [
    "exclusivity",
    `^For ${span} from (.*?) the (\\w+) shall supply (.*?) to no distributor or reseller other than the \\w+ in (.*)\\.$`,
    (m, c) => exclusivity(m[1], m[2], m[3], m[5], m[6], m[4], c),
  ],
  [
    "exclusivity",
    `sole distributor of (.*?) in (.*?) for a period of ${span} beginning on (.*?), and the (\\w+) shall appoint`,
    (m, c) => exclusivity(m[3], m[4], m[5], m[1], m[2], m[6], c),
  ],
  [
    "unitPrice",
    `^The price of (.*?) is ${moneyPattern} per unit`,
    (m) => ({ product: m[1], price: readSum(m[2]) }),
  ],
  [
    "protection",
    `^Should the (\\w+) supply (.*?) to any other customer .*? within ${span}`,
    (m) => ({ by: m[1], product: m[2], within: readLength(m[3], m[4]) }),
  ],
  [
    "liability",
    `total liability of (each party|the \\w+) .*? limited in any contract year to (?:the greater of )?${moneyPattern}(?: and ([\\d.]+) per cent)?`,
    (m) => ({ whose: m[1], cap: readSum(m[2]), percent: Number(m[3] ?? 0) }),
  ],
  [
    "control",
    `^(A party|The \\w+),? (?:if it|that) undergoes a change of control,? shall notify .*? within ${span}`,
    (m) => ({ whose: m[1], within: readLength(m[2], m[3]) }),
  ],
  [
    "assignment",
    "^(Neither party|The \\w+) may(?: not)? assign .*? without the prior written consent",
    (m) => ({ rule: "consent", whose: m[1] }),
  ],
  [
    "assignment",
    "^(Either party|The \\w+) may assign .*? on giving .*? written notice",
    (m) => ({ rule: "notice", whose: m[1] }),
  ],
  ["assignment", "^(Either party|The \\w+) may assign .*? freely", (m) => ({ rule: "free", whose: m[1] })],
  ["law", "governed by the laws of (.*?)\\.$", (m) => ({ law: m[1] })],
  ["terms", `invoices under .*? are payable within ${span}`, (m) => ({ within: readLength(m[1], m[2]) })],
];

export function understand(contract: StandingContract): Understood {
  const found: Record<string, unknown> = {};
  for (const clause of contract.clauses) {
    const departs = /express departure from clause (\S+) of the Framework Agreement/.exec(clause.text)?.[1];
    for (const [about, pattern, read] of readers) {
      const match = new RegExp(pattern, "i").exec(clause.text);
      if (match !== null)
        found[about] = { clause, ...read(match, contract), ...(departs === undefined ? {} : { departs }) };
    }
  }
  return found as Understood;
}

function renewal(lengthAt: number, noticeAt: number, giverAt: number): Reader {
  return (match) => ({
    months: readLength(match[lengthAt], match[lengthAt + 1]).count,
    notice: readLength(match[noticeAt], match[noticeAt + 1]),
    giver: match[giverAt],
  });
}

function exclusivity(
  count: string | undefined,
  unit: string | undefined,
  from: string | undefined,
  product: string | undefined,
  countries: string | undefined,
  by: string | undefined,
  contract: StandingContract,
): object {
  const start = from === "the Effective Date" ? contract.effective : readDate(from as string);
  return {
    from: start,
    months: readLength(count, unit).count,
    product,
    countries: countries?.split(/, | and /),
    by,
  };
}
