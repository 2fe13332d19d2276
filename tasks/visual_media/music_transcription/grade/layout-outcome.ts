import { findText } from "ale/grade/document/find-text";
import type { PdfDocument } from "ale/grade/document/pdf-document";
import type { Outcome } from "ale/grade/outcome";
import type { Params } from "../params.ts";

/** What must stand in the printed score; each counts alike. */
export function layoutOutcome({ pages }: PdfDocument, params: Params): Outcome {
  const asked: readonly (readonly [what: string, isThere: boolean])[] = [
    ["the title", isSaid(pages, params.title)],
    ["the composer", isSaid(pages, params.composer)],
    [`"${params.upper}"`, isSaid(pages, params.upper)],
    [`"${params.lower}"`, isSaid(pages, params.lower)],
    ["the tempo", pages.some((page) => new RegExp(`=\\s*${params.tempo}(?!\\d)`).test(page))],
  ];
  const missing = asked.filter(([, isThere]) => !isThere).map(([what]) => what);
  return {
    score: (asked.length - missing.length) / asked.length,
    message:
      missing.length === 0 ? "The printed score says all it should." : `Not in print: ${missing.join(", ")}.`,
  };
}

function isSaid(pages: readonly string[], text: string): boolean {
  return findText(pages, text).kind === "found";
}
