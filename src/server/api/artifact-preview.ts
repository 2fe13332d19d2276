/** How a file can be shown in a page. */
export type PreviewKind = "table" | "json" | "text" | "image" | "pdf" | "audio" | "video" | "none";

/** A sheet's or file's first rows, as text. */
export interface TablePreview {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** Rows there are, where that is known without reading all of a large file. */
  readonly totalRows: number | null;
}

/** A file made fit for a page. */
export type ArtifactPreview =
  | { readonly kind: "table"; readonly tables: readonly TablePreview[] }
  | { readonly kind: "text" | "json"; readonly text: string; readonly clipped: boolean }
  /** Shown by the browser itself from the file's own address. */
  | { readonly kind: "image" | "pdf" | "audio" | "video" }
  | { readonly kind: "none"; readonly reason: string };
