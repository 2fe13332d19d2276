/** How a file can be shown in a page. */
export type PreviewKind =
  | "table"
  | "json"
  | "text"
  | "document"
  | "image"
  | "pdf"
  | "audio"
  | "video"
  | "mesh"
  | "none";

/** Words of one look. */
export interface TextSpan {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Struck through, or deleted in a tracked change. */
  readonly struck?: boolean;
  /** Put in by a tracked change. */
  readonly added?: boolean;
}

/** A part of a document, from top to bottom. */
export type DocumentBlock =
  | {
      readonly kind: "paragraph";
      readonly spans: readonly TextSpan[];
      /** 1 to 6. */
      readonly heading?: number;
      /** `level` from 0. */
      readonly list?: { readonly level: number; readonly ordered: boolean };
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly TextSpan[])[])[] }
  /** An address that holds the picture itself. */
  | { readonly kind: "image"; readonly source: string };

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
  | { readonly kind: "document"; readonly blocks: readonly DocumentBlock[]; readonly clipped: boolean }
  /** Shown by the browser itself from the file's own address. */
  | { readonly kind: "image" | "pdf" | "audio" | "video" | "mesh" }
  | { readonly kind: "none"; readonly reason: string };
