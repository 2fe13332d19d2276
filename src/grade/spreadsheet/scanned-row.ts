import type { XmlHandler } from "../document/xml-scanner.ts";
import type { CellValue, DefinedName, SheetVisibility, WorkbookFormat } from "./workbook.ts";

/** A cell as it is met in a file. */
export interface ScannedCell {
  readonly column: number;
  readonly value: CellValue;
  readonly formula?: string;
  readonly numberFormat?: string;
}

export interface ScannedRow {
  /** From 0. */
  readonly row: number;
  /** Only those that hold something, left to right; never none. */
  readonly cells: readonly ScannedCell[];
}

export interface ScannedSheet {
  readonly name: string;
  readonly visibility: SheetVisibility;
  /** The part of the package that holds the rows. */
  readonly part: string;
  /** A handler for that part, which hands on this sheet's rows. */
  readonly scanner: (take: (row: ScannedRow) => void) => XmlHandler;
}

/** What both formats say of a workbook before its rows are read. */
export interface ScannedWorkbook {
  readonly format: WorkbookFormat;
  readonly sheets: readonly ScannedSheet[];
  readonly definedNames: readonly DefinedName[];
  readonly externalLinks: readonly string[];
  readonly macros: boolean;
}

/** Characters of one cell that are kept; Excel allows 32,767. */
export const maxCellCharacters = 100_000;
