/** Text, or a tracked change that nobody has accepted. */
export interface Run {
  readonly text: string;
  readonly change?: "inserted" | "deleted";
}

export type Block =
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "heading"; readonly number: string; readonly text: string }
  | { readonly kind: "clause"; readonly number: string; readonly runs: readonly Run[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

/** A document before it becomes DOCX or PDF. */
export interface PageContent {
  /** Stands at the head of every page. */
  readonly running: string;
  readonly blocks: readonly Block[];
}
