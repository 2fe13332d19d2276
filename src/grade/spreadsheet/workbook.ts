/** What a cell shows. Dates are ISO 8601 without a zone; errors are written `#REF!`, `#DIV/0!`. */
export type CellValue =
  | { readonly kind: "empty" }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "date"; readonly value: string }
  | { readonly kind: "error"; readonly value: string };

export interface WorkbookCell {
  /** For example `B7`. */
  readonly address: string;
  /** As it was when the file was saved: of a formula, what the program that saved it computed. */
  readonly value: CellValue;
  /** Without the leading `=`, in A1 notation with commas. Absent for a constant. */
  readonly formula?: string;
  /** The number format's code, e.g. `0.00%`. Absent for `General`, and for ODS. */
  readonly numberFormat?: string;
}

export type SheetVisibility = "visible" | "hidden" | "very-hidden";

export interface WorkbookSheet {
  readonly name: string;
  readonly visibility: SheetVisibility;
  /** Cells that hold something, by address, in reading order. */
  readonly cells: ReadonlyMap<string, WorkbookCell>;
}

export interface DefinedName {
  readonly name: string;
  /** What it stands for, e.g. `Rates!$B$2:$B$9`. */
  readonly refersTo: string;
  readonly hidden: boolean;
}

export interface Workbook {
  readonly format: WorkbookFormat;
  readonly sheets: readonly WorkbookSheet[];
  readonly definedNames: readonly DefinedName[];
  /** Files and addresses outside of the workbook that it draws on. */
  readonly externalLinks: readonly string[];
  /** Whether it carries macros. */
  readonly macros: boolean;
}

export type WorkbookFormat = "xlsx" | "ods";
