import type { Heading } from "./compare-headings.ts";

export interface PdfDocument {
  /** Text of each page in the order it is drawn, lines separated by `\n`. */
  readonly pages: readonly string[];
  /** Rows of cells of each page, by position (`tableRows`); headings and prose are rows of one cell. */
  readonly rows: readonly (readonly (readonly string[])[])[];
  /** Bookmarks, in order. */
  readonly outline: readonly Heading[];
}
