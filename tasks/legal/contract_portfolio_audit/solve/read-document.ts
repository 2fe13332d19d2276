import { join } from "node:path";
import type { Day } from "../calendar.ts";
import type { Paragraph } from "./paragraph.ts";
import { readDocx } from "./read-docx.ts";
import { readPdf } from "./read-pdf.ts";
import { datePattern, readDate } from "./wording.ts";

/** A document of the portfolio, before its clauses are understood. */
export interface PortfolioDocument {
  readonly name: string;
  readonly kind: "agreement" | "restatement" | "amendment" | "termination" | "schedule";
  readonly contract: string;
  readonly paragraphs: readonly Paragraph[];
  /** The last signature; absent when a party has not signed. */
  readonly signed?: Day;
}

const kinds: readonly (readonly [pattern: RegExp, kind: PortfolioDocument["kind"]])[] = [
  [/^AMENDED AND RESTATED /, "restatement"],
  [/^AMENDMENT No\./, "amendment"],
  [/^TERMINATION AGREEMENT$/, "termination"],
  [/^SCHEDULE \d+/, "schedule"],
  [/^(?:[A-Z]+ AGREEMENT|ORDER)$/, "agreement"],
];

export function readDocument(folder: string, name: string): PortfolioDocument {
  const path = join(folder, name);
  const paragraphs = name.endsWith(".docx") ? readDocx(path) : readPdf(path);
  const texts = paragraphs.map(({ text }) => text);
  const kind = kinds.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
  const contract = firstMatch(texts, /^Contract No\. (\S+)$/)?.[1];
  if (kind === undefined || contract === undefined) throw new Error(`${name} is no document of a contract`);
  const signatures = texts.filter((text) => text.startsWith("Signed for and on behalf of "));
  const days = signatures.flatMap((text) => {
    const found = new RegExp(` on ${datePattern}$`).exec(text)?.[1];
    return found === undefined ? [] : [readDate(found)];
  });
  const complete = days.length > 0 && days.length === signatures.length;
  return { name, kind, contract, paragraphs, ...(complete ? { signed: days.toSorted().at(-1) as Day } : {}) };
}

export function firstMatch(texts: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (const text of texts) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return undefined;
}
