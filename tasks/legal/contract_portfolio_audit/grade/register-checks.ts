import { check } from "ale/grade/rubric/check";
import type { matchRecords } from "ale/grade/sequence/match-records";
import type { RegisterRow } from "../register.ts";

type Check = ReturnType<typeof check>;
type Matched = ReturnType<typeof matchRecords<RegisterRow, RegisterRow>>;
type Column = keyof RegisterRow;

interface Field {
  readonly id: string;
  readonly stage: string;
  readonly weight: number;
  readonly columns: readonly Column[];
  /** Of which obligations; absent: of all. */
  readonly of?: readonly string[];
}

const fields: readonly Field[] = [
  { id: "party", stage: "reading", weight: 8, columns: ["party"] },
  { id: "citation", stage: "reading", weight: 16, columns: ["document", "clause"] },
  {
    id: "term-dates",
    stage: "dates",
    weight: 10,
    columns: ["due_date"],
    of: ["term_end", "non_renewal_notice", "exclusivity"],
  },
  {
    id: "recurring-dates",
    stage: "dates",
    weight: 10,
    columns: ["due_date"],
    of: ["payment", "report", "insurance_certificate"],
  },
  {
    id: "rules",
    stage: "reading",
    weight: 8,
    columns: ["rule"],
    of: ["price_protection", "change_of_control_notice", "assignment"],
  },
  {
    id: "amounts",
    stage: "amounts",
    weight: 12,
    columns: ["amount", "currency"],
    of: ["payment", "insurance_certificate", "price_protection", "liability_cap"],
  },
  { id: "empty-cells", stage: "tidiness", weight: 4, columns: ["due_date", "rule", "amount", "currency"] },
];

/** How much of the register is there, how much of it belongs there, and how right its fields are. */
export function registerChecks(
  matched: Matched,
  expected: readonly RegisterRow[],
  listed: number,
): readonly Check[] {
  const found = matched.pairs.length;
  return [
    ratio("rows-found", "coverage", 8, found, expected.length, matched.missing.map(nameOf)),
    ratio("rows-belong", "coverage", 8, found, listed, matched.extra.map(nameOf)),
    ...fields.map((field) => fieldCheck(field, matched, expected)),
  ];
}

function fieldCheck(
  { id, stage, weight, columns, of }: Field,
  matched: Matched,
  expected: readonly RegisterRow[],
): Check {
  const concerns = ({ obligation }: RegisterRow): boolean => of === undefined || of.includes(obligation);
  const pairs = matched.pairs.filter((pair) => concerns(pair.expected));
  const same = (actual: RegisterRow, wanted: RegisterRow, name: Column): boolean =>
    id === "empty-cells" ? (actual[name] === "") === (wanted[name] === "") : actual[name] === wanted[name];
  const wrong = pairs.filter((pair) => !columns.every((name) => same(pair.actual, pair.expected, name)));
  const relevant = expected.filter(concerns).length;
  return ratio(
    id,
    stage,
    weight,
    pairs.length - wrong.length,
    relevant,
    wrong.map((pair) => nameOf(pair.expected)),
  );
}

function ratio(
  id: string,
  stage: string,
  weight: number,
  right: number,
  of: number,
  wrong: readonly string[],
): Check {
  const outcome = {
    score: of === 0 ? 0 : right / of,
    message: `${id}: ${right} of ${of} rows.`,
    evidence: { wrong: wrong.slice(0, 20).map((name) => name.slice(0, 120)) },
  };
  return check({ id, stage, weight, outcome });
}

function nameOf({ contract, obligation }: RegisterRow): string {
  return `${contract} ${obligation}`;
}
