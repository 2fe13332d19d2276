import type { XmlAttributes, XmlHandler } from "../document/xml-scanner.ts";
import { PackageProblem } from "../document/xml-scanner.ts";
import { type CellPosition, maxColumn, maxRow, parseAddress } from "./cell-address.ts";
import { isDateFormat, serialToIso } from "./number-format.ts";
import { maxCellCharacters, type ScannedCell, type ScannedRow, type ScannedSheet } from "./scanned-row.ts";
import { shiftFormula } from "./shift-formula.ts";
import type { CellValue } from "./workbook.ts";

const maxSharedCharacters = 100_000_000;

export interface XlsxContext {
  readonly texts: readonly string[];
  readonly formats: readonly (string | undefined)[];
  readonly date1904: boolean;
}

/** Handlers for the worksheet parts of a workbook. */
export function xlsxSheetScanner(context: XlsxContext): ScannedSheet["scanner"] {
  return (take) => new XlsxSheetHandler(context, take);
}

class XlsxSheetHandler implements XmlHandler {
  readonly #context: XlsxContext;
  readonly #take: (row: ScannedRow) => void;
  readonly #shared = new Map<string, { readonly formula: string; readonly at: CellPosition }>();
  #row = -1;
  #column = -1;
  #cells: ScannedCell[] = [];
  #type = "n";
  #style = 0;
  #value: string | undefined;
  #formula: string | undefined;
  #sharedIndex: string | undefined;
  #into: "value" | "formula" | undefined;
  #skipping = 0;
  #sharedCharacters = 0;

  constructor(context: XlsxContext, take: (row: ScannedRow) => void) {
    this.#context = context;
    this.#take = take;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#skipping > 0 || name === "extLst" || name === "rPh") this.#skipping++;
    else if (name === "row") this.#openRow(attributes.get("r"));
    else if (name === "c") this.#openCell(attributes);
    else if (name === "v" || name === "t") {
      this.#into = "value";
      this.#value ??= "";
    } else if (name === "f" && this.#column >= 0) {
      this.#into = "formula";
      this.#formula = "";
      this.#sharedIndex = attributes.get("t") === "shared" ? attributes.get("si") : undefined;
    }
  }

  text(text: string): void {
    if (this.#into === undefined || this.#skipping > 0) return;
    const longest = Math.max(this.#value?.length ?? 0, this.#formula?.length ?? 0);
    if (longest + text.length > maxCellCharacters) throw new PackageProblem("it has a cell of too much text");
    if (this.#into === "value") this.#value = (this.#value ?? "") + text;
    else this.#formula = (this.#formula ?? "") + text;
  }

  close(name: string): void {
    if (this.#skipping > 0) this.#skipping--;
    else if (name === "v" || name === "t" || name === "f") this.#into = undefined;
    else if (name === "c") this.#closeCell();
    else if (name === "row") {
      if (this.#cells.length > 0) this.#take({ row: this.#row, cells: this.#cells });
      this.#cells = [];
    }
  }

  #openRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(number) - 1;
    if (!(Number.isInteger(row) && row > this.#row && row < maxRow)) {
      throw new PackageProblem("its rows are not numbered in order");
    }
    this.#row = row;
    this.#column = -1;
  }

  #openCell(attributes: XmlAttributes): void {
    const address = attributes.get("r");
    const position =
      address === undefined ? { row: this.#row, column: this.#column + 1 } : parseAddress(address);
    if (position?.row !== this.#row || position.column <= this.#column || position.column >= maxColumn) {
      throw new PackageProblem("its cells are not in order");
    }
    this.#column = position.column;
    this.#type = attributes.get("t") ?? "n";
    this.#style = Number(attributes.get("s") ?? 0);
    this.#value = undefined;
    this.#formula = undefined;
    this.#sharedIndex = undefined;
  }

  #closeCell(): void {
    const numberFormat = this.#context.formats[this.#style];
    const value = this.#readValue(numberFormat);
    const formula = this.#readFormula();
    if (value.kind === "empty" && formula === undefined) return;
    this.#cells.push({
      column: this.#column,
      value,
      ...(formula === undefined ? {} : { formula }),
      ...(numberFormat === undefined ? {} : { numberFormat }),
    });
  }

  #readFormula(): string | undefined {
    if (this.#formula === undefined) return undefined;
    const at = { row: this.#row, column: this.#column };
    if (this.#sharedIndex === undefined) return this.#formula;
    if (this.#formula !== "") {
      this.#shared.set(this.#sharedIndex, { formula: this.#formula, at });
      return this.#formula;
    }
    const master = this.#shared.get(this.#sharedIndex);
    if (master === undefined) throw new PackageProblem("it has a shared formula that is nowhere written");
    // One long formula shared by a million cells would be terabytes.
    this.#sharedCharacters += master.formula.length;
    if (this.#sharedCharacters > maxSharedCharacters) throw new PackageProblem("its formulas are too long");
    return shiftFormula(master.formula, at.row - master.at.row, at.column - master.at.column);
  }

  #readValue(numberFormat: string | undefined): CellValue {
    const text = this.#value;
    if (text === undefined) return { kind: "empty" };
    switch (this.#type) {
      case "s": {
        const shared = this.#context.texts[Number(text)];
        if (shared === undefined) throw new PackageProblem("it uses a text that it does not hold");
        return { kind: "text", value: shared };
      }
      case "str":
      case "inlineStr":
        return { kind: "text", value: unescapeText(text) };
      case "b":
        return { kind: "boolean", value: text.trim() === "1" || text.trim() === "true" };
      case "e":
        return { kind: "error", value: text };
      case "d":
        return { kind: "date", value: text.replace(/(\.0+)?Z$/, "").replace(/T00:00:00$/, "") };
      default:
        return this.#readNumber(text, numberFormat);
    }
  }

  #readNumber(text: string, numberFormat: string | undefined): CellValue {
    if (text.trim() === "") return { kind: "empty" };
    const value = Number(text);
    if (!Number.isFinite(value)) throw new PackageProblem("it has a number cell that holds no number");
    if (numberFormat !== undefined && isDateFormat(numberFormat)) {
      const iso = serialToIso(value, this.#context.date1904);
      if (iso !== undefined) return { kind: "date", value: iso };
    }
    return { kind: "number", value };
  }
}

/** Signs that XML cannot hold are written `_x0007_`. */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
