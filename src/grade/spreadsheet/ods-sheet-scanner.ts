import type { XmlAttributes, XmlHandler } from "../document/xml-scanner.ts";
import { PackageProblem } from "../document/xml-scanner.ts";
import { maxColumn, maxRow } from "./cell-address.ts";
import { maxCellCharacters, type ScannedCell, type ScannedRow, type ScannedSheet } from "./scanned-row.ts";
import type { CellValue } from "./workbook.ts";

/** Cells that repetition may make of one sheet: a few bytes can claim seventeen billion. */
const maxRepeatedCells = 20_000_000;

/** A handler for `content.xml` that hands on the rows of the sheet of that index. */
export function odsSheetScanner(sheet: number): ScannedSheet["scanner"] {
  return (take) => new OdsSheetHandler(sheet, take);
}

class OdsSheetHandler implements XmlHandler {
  readonly #wanted: number;
  readonly #take: (row: ScannedRow) => void;
  #sheet = -1;
  #tables = 0;
  #row = 0;
  #rowRepeat = 1;
  #column = 0;
  #cells: ScannedCell[] = [];
  #made = 0;
  #cell: XmlAttributes | undefined;
  #text = "";
  #paragraphs = 0;
  #inParagraph = 0;
  #skipping = 0;

  constructor(sheet: number, take: (row: ScannedRow) => void) {
    this.#wanted = sheet;
    this.#take = take;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#skipping > 0 || name === "annotation" || name === "shapes") this.#skipping++;
    else if (name === "table") this.#openTable();
    else if (this.#sheet !== this.#wanted || this.#tables !== 1) return;
    else if (name === "table-row") {
      this.#rowRepeat = repeat(attributes.get("number-rows-repeated"));
      this.#column = 0;
    } else if (name === "table-cell" || name === "covered-table-cell") {
      this.#cell = attributes;
      this.#text = "";
      this.#paragraphs = 0;
    } else if (this.#cell !== undefined) this.#openInCell(name, attributes);
  }

  text(text: string): void {
    if (this.#inParagraph > 0 && this.#skipping === 0) this.#append(text);
  }

  close(name: string): void {
    if (this.#skipping > 0) this.#skipping--;
    else if (name === "table") this.#tables--;
    else if (this.#sheet !== this.#wanted || this.#tables !== 1) return;
    else if (name === "p" && this.#inParagraph > 0) this.#inParagraph--;
    else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell();
    else if (name === "table-row") this.#closeRow();
  }

  #openTable(): void {
    // A table within a cell belongs to the sheet around it.
    if (this.#tables++ > 0) return;
    this.#sheet++;
    this.#row = 0;
  }

  #openInCell(name: string, attributes: XmlAttributes): void {
    if (name === "p") {
      if (this.#paragraphs++ > 0) this.#append("\n");
      this.#inParagraph++;
    } else if (name === "s") this.#append(" ".repeat(Math.min(repeat(attributes.get("c")), 1000)));
    else if (name === "tab") this.#append("\t");
    else if (name === "line-break") this.#append("\n");
  }

  #append(text: string): void {
    if (this.#text.length + text.length > maxCellCharacters) {
      throw new PackageProblem("it has a cell of too much text");
    }
    this.#text += text;
  }

  #closeCell(): void {
    const attributes = this.#cell;
    this.#cell = undefined;
    if (attributes === undefined) return;
    const times = repeat(attributes.get("number-columns-repeated"));
    const written = attributes.get("formula");
    const value = cellValue(attributes, this.#text, written !== undefined);
    if (value.kind !== "empty" || written !== undefined) {
      if (this.#column + times > maxColumn) throw new PackageProblem("it has too many columns");
      const formula = written === undefined ? {} : { formula: fromOpenFormula(written) };
      for (let copy = 0; copy < times; copy++)
        this.#cells.push({ column: this.#column + copy, value, ...formula });
    }
    this.#column += times;
  }

  #closeRow(): void {
    const cells = this.#cells;
    this.#cells = [];
    if (cells.length > 0) {
      this.#made += cells.length * this.#rowRepeat;
      if (this.#made > maxRepeatedCells || this.#row + this.#rowRepeat > maxRow) {
        throw new PackageProblem("it repeats cells beyond all measure");
      }
      for (let copy = 0; copy < this.#rowRepeat; copy++) this.#take({ row: this.#row + copy, cells });
    }
    this.#row += this.#rowRepeat;
  }
}

function repeat(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new PackageProblem("it repeats something an odd number of times");
  return count;
}

function cellValue(attributes: XmlAttributes, text: string, isFormula: boolean): CellValue {
  if (isFormula && /^(#[A-Z/0!?]+[!?A]?|Err:\d+)$/.test(text)) return { kind: "error", value: text };
  switch (attributes.get("value-type")) {
    case "float":
    case "currency":
    case "percentage": {
      const value = Number(attributes.get("value"));
      if (!Number.isFinite(value)) throw new PackageProblem("it has a number cell that holds no number");
      return { kind: "number", value };
    }
    case "boolean":
      return { kind: "boolean", value: attributes.get("boolean-value") === "true" };
    case "date":
      return { kind: "date", value: (attributes.get("date-value") ?? "").replace(/T00:00:00(\.0+)?$/, "") };
    case "time":
      return { kind: "text", value: attributes.get("time-value") ?? text };
    default: {
      const value = attributes.get("string-value") ?? text;
      return value === "" ? { kind: "empty" } : { kind: "text", value };
    }
  }
}

/** An OpenFormula expression (`of:=SUM([.A1:.A3];[$Rates.B2])`) in the notation of XLSX (`SUM(A1:A3,Rates!B2)`). */
export function fromOpenFormula(formula: string): string {
  const body = formula.replace(/^[a-z]+:(?==)/, "").replace(/^=/, "");
  return body.replace(/("[^"]*")|\[([^[\]]*)\]|;/g, (whole, text, reference) => {
    if (text !== undefined) return whole;
    if (reference === undefined) return ",";
    const [first = "", last] = String(reference).split(/:(?=[.$'A-Za-z])/);
    return toReference(first) + (last === undefined ? "" : `:${toReference(last).replace(/^.*!/, "")}`);
  });
}

function toReference(text: string): string {
  const dot = text.lastIndexOf(".");
  if (dot < 0) return text;
  const sheet = text.slice(0, dot).replace(/^\$/, "");
  return (sheet === "" ? "" : `${sheet}!`) + text.slice(dot + 1);
}
