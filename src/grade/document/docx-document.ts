/** A paragraph or table of a story (the body, a header, a note), in reading order. */
export type DocumentBlock = DocumentParagraph | DocumentTable;

export interface DocumentParagraph {
  readonly kind: "paragraph";
  readonly text: string;
  /** The style's name as its author sees it, e.g. `heading 1`; absent for the default style. */
  readonly style?: string;
  /** 1 to 9, by outline level of the paragraph or its style. */
  readonly headingLevel?: number;
  readonly list?: { readonly kind: "bulleted" | "numbered"; readonly level: number };
}

export interface DocumentTable {
  readonly kind: "table";
  /** Text of each cell; paragraphs within are separated by line ends. Merged cells appear once. */
  readonly rows: readonly (readonly string[])[];
}

/** A tracked change. Moves are a deletion and an insertion. */
export interface Revision {
  readonly kind: "insertion" | "deletion";
  readonly author: string;
  /** ISO 8601 as written; absent when not written. */
  readonly date?: string;
  readonly text: string;
}

export interface DocumentComment {
  readonly author: string;
  readonly date?: string;
  readonly text: string;
  /** The text that it is about; empty for a point. */
  readonly about: string;
}

export interface DocxDocument {
  readonly body: readonly DocumentBlock[];
  /** Of the body, in order. */
  readonly revisions: readonly Revision[];
  readonly comments: readonly DocumentComment[];
  /** Footnotes and endnotes. */
  readonly notes: readonly string[];
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}
