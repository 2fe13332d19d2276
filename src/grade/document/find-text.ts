import { normaliseText } from "../text/normalise-text.ts";

export type FoundText =
  | {
      readonly kind: "found" /** Index of the first piece that holds it; of two that it spans, the first. */;
      readonly piece: number;
    }
  | { readonly kind: "absent" };

/**
 * Looks for a quotation in a text given in pieces (pages, paragraphs). Line breaks, hyphenation, kinds of quotation
 * marks and dashes, ligatures, letter case and white space do not matter, since extraction garbles just these; hyphens
 * are left out altogether, so `long-term`, `longterm` and a `long-` at a line's end are one. An empty quotation is
 * absent.
 */
export function findText(pieces: string | readonly string[], quotation: string): FoundText {
  const wanted = quotable(quotation);
  if (wanted === "") return { kind: "absent" };
  const all = typeof pieces === "string" ? [pieces] : pieces;
  // In one string, so that what runs on over a page is found; where each piece ends is noted.
  let text = "";
  const ends: number[] = [];
  for (const piece of all) {
    const next = quotable(piece);
    const cutWord = /[-\u00ad\u2010]\s*$/.test(all[ends.length - 1] ?? "");
    text += text === "" || next === "" || cutWord ? next : ` ${next}`;
    ends.push(text.length);
  }
  const at = text.indexOf(wanted);
  return at < 0 ? { kind: "absent" } : { kind: "found", piece: ends.findIndex((end) => at < end) };
}

function quotable(text: string): string {
  const plain = text
    .replace(/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033]/g, '"')
    .replace(/[-\u00ad\u2010\u2011\u2012\u2013\u2014\u2212](?:[ \t]*\r?\n\s*)?/g, "");
  return normaliseText(plain, { letterCase: "fold" });
}
