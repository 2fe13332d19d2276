import { addMonths, type Day } from "../calendar.ts";
import { firstMatch, type PortfolioDocument } from "./read-document.ts";
import { datePattern, readDate, readLength, spanPattern } from "./wording.ts";

export interface StandingClause {
  readonly number: string;
  readonly text: string;
  /** The file that fixes the text now. */
  readonly document: string;
}

/** A contract as its signed documents leave it on a day. */
export interface StandingContract {
  readonly number: string;
  readonly effective: Day;
  /** `Customer` → the party's name now. */
  readonly roles: ReadonlyMap<string, string>;
  readonly clauses: readonly StandingClause[];
  /** Months by which amendments have extended the initial term. */
  readonly extension: number;
  readonly framework?: string;
  readonly schedule?: PortfolioDocument;
  readonly ended?: { readonly on: Day; readonly document: string };
}

/** Reads one contract's documents in the order in which they take effect; `undefined` when none is signed. */
export function consolidate(documents: readonly PortfolioDocument[], day: Day): StandingContract | undefined {
  const signed = documents.filter((document) => document.signed !== undefined);
  const bases = signed
    .filter(({ kind }) => kind === "agreement" || kind === "restatement")
    .map((document) => ({ document, from: effectOf(document) }))
    .filter(({ from }) => from <= day)
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const base = bases.at(-1);
  if (base === undefined) return undefined;
  const texts = base.document.paragraphs.map(({ text }) => text);
  const roles = new Map<string, string>();
  for (const text of texts) {
    const party = /^\([12]\) (.+?), of .+ \(the “(\w+)”\)/.exec(text);
    if (party !== null) roles.set(party[2] as string, party[1] as string);
  }
  const clauses = new Map<string, StandingClause>();
  for (const { number, text } of base.document.paragraphs) {
    if (number.includes(".")) clauses.set(number, { number, text, document: base.document.name });
  }
  const amendments = signed
    .filter(({ kind }) => kind === "amendment")
    .map((document) => ({ document, from: amendmentEffect(document) }))
    .filter(({ from }) => from <= day && (base.document.kind === "agreement" || from >= base.from))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  let extension = 0;
  for (const { document } of amendments) {
    for (const { text } of document.paragraphs) extension += amend(clauses, roles, text, document.name);
  }
  const framework = firstMatch(texts, /placed under Framework Agreement No\. (\S+)\.$/)?.[1];
  const schedule = signed.find(({ kind }) => kind === "schedule");
  const termination = signed.find(({ kind }) => kind === "termination");
  const last =
    termination === undefined
      ? undefined
      : firstMatch(textsOf(termination), new RegExp(`ends early, on ${datePattern}`))?.[1];
  return {
    number: base.document.contract,
    effective: base.from,
    roles,
    clauses: [...clauses.values()],
    extension,
    ...(framework === undefined ? {} : { framework }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(last === undefined || termination === undefined
      ? {}
      : { ended: { on: readDate(last), document: termination.name } }),
  };
}

function textsOf({ paragraphs }: PortfolioDocument): readonly string[] {
  return paragraphs.map(({ text }) => text);
}

function effectOf(document: PortfolioDocument): Day {
  const texts = textsOf(document);
  const signed = document.signed as Day;
  const dated = firstMatch(
    texts,
    new RegExp(`takes effect on ${datePattern} \\(the “Effective Date”\\)`),
  )?.[1];
  if (dated !== undefined) return readDate(dated);
  const monthAfter = texts.some((text) =>
    text.includes("first day of the calendar month that follows the last signature"),
  );
  return monthAfter ? `${addMonths(`${signed.slice(0, 8)}01`, 1)}` : signed;
}

function amendmentEffect(document: PortfolioDocument): Day {
  const found = firstMatch(
    textsOf(document),
    new RegExp(`^This Amendment takes effect on ${datePattern}\\.`),
  )?.[1];
  if (found === undefined) throw new Error(`${document.name} does not say when it takes effect`);
  return readDate(found);
}

/** Carries out one paragraph of an amendment; returns the months by which it extends the term. */
function amend(
  clauses: Map<string, StandingClause>,
  roles: Map<string, string>,
  text: string,
  document: string,
): number {
  const set = (number: string, now: string): void => {
    clauses.set(number, { number, text: now, document });
  };
  const replaced = /^Clause (\S+) is deleted and replaced by the following: “\S+ (.*)”$/.exec(text);
  if (replaced !== null) set(replaced[1] as string, replaced[2] as string);
  const inserted = /^After clause \S+ a new clause \S+ \(.*?\) is inserted: “(\S+) (.*)”$/.exec(text);
  if (inserted !== null) set(inserted[1] as string, inserted[2] as string);
  const deleted = /^Clause (\S+) is deleted\. /.exec(text)?.[1];
  if (deleted !== undefined) clauses.delete(deleted);
  const words = /^In clause (\S+) the words “(.*)” are replaced by the words “(.*)”\.$/.exec(text);
  if (words !== null) {
    const before = clauses.get(words[1] as string);
    if (before === undefined) throw new Error(`${document} changes a clause that is not there`);
    set(before.number, before.text.replace(words[2] as string, words[3] as string));
  }
  const renamed = /^The (\w+) has changed its name and is now called (.*?)\. References/.exec(text);
  if (renamed !== null) roles.set(renamed[1] as string, renamed[2] as string);
  const longer = new RegExp(`^The Initial Term stated in clause (\\S+) is extended by ${spanPattern}`).exec(
    text,
  );
  if (longer === null) return 0;
  const before = clauses.get(longer[1] as string);
  if (before !== undefined) set(before.number, before.text);
  return readLength(longer[2], longer[3]).count;
}
