import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { lcsLength } from "../sequence/lcs-length.ts";
import { normaliseText } from "../text/normalise-text.ts";
import type { DocumentBlock } from "./docx-document.ts";

export interface Heading {
  /** From 1. */
  readonly level: number;
  readonly text: string;
}

export interface CompareHeadingsOptions {
  readonly actual: readonly Heading[];
  readonly expected: readonly Heading[];
  /** `required` (default): the level must be the same too. */
  readonly levels?: "required" | "ignored";
  /** `ignored` (default): a number before the text (`2.1`, `IV.`, `(a)`) does not matter. */
  readonly numbering?: "required" | "ignored";
}

const longest = 2000;

/**
 * 2·common / (actual + expected), where common is the longest common subsequence: missing, surplus and displaced headings
 * all cost. Case and white space do not matter.
 */
export function compareHeadings(options: CompareHeadingsOptions): Outcome {
  const { actual, expected } = options;
  if (actual.length > longest)
    return { score: 0, message: `There are ${actual.length} headings, beyond all measure.` };
  const key = (heading: Heading): string => headingKey(heading, options);
  const common = lcsLength(actual.map(key), expected.map(key));
  const present = new Set(actual.map(key));
  const total = actual.length + expected.length;
  return {
    score: total === 0 ? 1 : (2 * common) / total,
    message: `${common} of ${expected.length} expected headings stand in order, among ${actual.length}.`,
    evidence: expected
      .filter((heading) => !present.has(key(heading)))
      .slice(0, 24)
      .map(({ level, text }) => `missing at level ${level}: ${quote(text)}`),
  };
}

/** The headings of a document's blocks, empty ones left out. */
export function headingsOf(blocks: readonly DocumentBlock[]): readonly Heading[] {
  return blocks.flatMap((block) =>
    block.kind === "paragraph" && block.headingLevel !== undefined && block.text.trim() !== ""
      ? [{ level: block.headingLevel, text: block.text.trim() }]
      : [],
  );
}

function headingKey({ level, text }: Heading, options: CompareHeadingsOptions): string {
  const bare =
    options.numbering === "required"
      ? text
      : text
          .trim()
          .replace(
            /^(?:\(?(?:\d{1,4}(?:\.\d{1,4})*|[ivxlcIVXLC]{1,6}|[a-zA-Z])[.)]|\d{1,4}(?:\.\d{1,4})*)\s+/,
            "",
          );
  const plain = normaliseText(bare, { letterCase: "fold" });
  return options.levels === "ignored" ? plain : `${level} ${plain}`;
}
