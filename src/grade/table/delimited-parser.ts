import type { ResolvedTableLimits } from "./table.ts";
import { TableProblem } from "./table-problem.ts";

/**
 * Splits CSV text, given in pieces, into records (RFC 4180, any line end, one-character delimiter). A field that
 * starts with a double quote ends at its partner; quotes elsewhere are plain characters. Blank lines are dropped.
 * Throws a `TableProblem` for an unclosed quote, text after a closing one, or a record beyond the limits.
 */
export class DelimitedParser {
  readonly #delimiter: string;
  readonly #limits: ResolvedTableLimits;
  readonly #take: (record: string[]) => void;
  #rest = "";
  #oldMac: boolean | undefined;
  #records = 0;

  constructor(delimiter: string, limits: ResolvedTableLimits, take: (record: string[]) => void) {
    this.#delimiter = delimiter;
    this.#limits = limits;
    this.#take = take;
  }

  write(piece: string): void {
    // Lines that end in a lone carriage return are told by the first piece.
    this.#oldMac ??= piece.includes("\n") ? false : /\r[^\n]/.test(piece) || undefined;
    this.#parse(this.#rest + (this.#oldMac === true ? piece.replaceAll("\r", "\n") : piece), false);
  }

  end(): void {
    this.#parse(this.#rest, true);
  }

  #parse(text: string, final: boolean): void {
    let start = 0;
    let nextQuote = text.indexOf('"');
    while (start < text.length) {
      if (nextQuote >= 0 && nextQuote < start) nextQuote = text.indexOf('"', start);
      const lineEnd = text.indexOf("\n", start);
      if (nextQuote >= 0 && (lineEnd < 0 || nextQuote < lineEnd)) {
        const end = this.#quotedRecord(text, start, final);
        if (end === undefined) break;
        start = end;
        continue;
      }
      if (lineEnd < 0 && !final) break;
      this.#plainRecord(text, start, lineEnd < 0 ? text.length : lineEnd);
      start = lineEnd < 0 ? text.length : lineEnd + 1;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > this.#limits.maxRowCharacters) throw this.#tooLong();
  }

  #plainRecord(text: string, start: number, lineEnd: number): void {
    const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd;
    if (end === start) return;
    if (end - start > this.#limits.maxRowCharacters) throw this.#tooLong();
    this.#emit(text.slice(start, end).split(this.#delimiter));
  }

  /** Where the next record starts; `undefined` when this one is not complete yet. */
  #quotedRecord(text: string, start: number, final: boolean): number | undefined {
    const record: string[] = [];
    let at = start;
    // Looked for anew only once passed, so that a long row of short fields is not searched again for each.
    let lineEnd = -1;
    for (;;) {
      let field: string;
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1);
        const after = text.slice(close + 1, close + 3);
        if (close < 0 || (!final && (after === "" || after === "\r"))) {
          if (final) throw new TableProblem(`a quote opened in record ${this.#records + 1} is never closed`);
          return undefined;
        }
        field = text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
        if (after.startsWith("\r") && (after[1] === "\n" || after.length === 1)) at++;
        else if (after !== "" && after[0] !== this.#delimiter && after[0] !== "\n") {
          throw new TableProblem(`record ${this.#records + 1} has text after a closing quote`);
        }
      } else {
        if (lineEnd < at) lineEnd = indexOrEnd(text, "\n", at);
        const stop = Math.min(lineEnd, indexOrEnd(text, this.#delimiter, at));
        if (stop === text.length && !final) return undefined;
        const cut = text[stop] !== this.#delimiter && stop > at && text[stop - 1] === "\r" ? stop - 1 : stop;
        field = text.slice(at, cut);
        at = stop;
      }
      record.push(field);
      if (at - start > this.#limits.maxRowCharacters) throw this.#tooLong();
      if (record.length > this.#limits.maxColumns) throw this.#tooWide();
      if (text[at] === this.#delimiter) at++;
      else break;
    }
    this.#emit(record);
    return at + 1;
  }

  #emit(record: string[]): void {
    if (record.length > this.#limits.maxColumns) throw this.#tooWide();
    this.#records++;
    this.#take(record);
  }

  #tooLong(): TableProblem {
    return new TableProblem(
      `record ${this.#records + 1} is longer than ${this.#limits.maxRowCharacters} characters`,
    );
  }

  #tooWide(): TableProblem {
    return new TableProblem(`record ${this.#records + 1} has more than ${this.#limits.maxColumns} cells`);
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

/** The index of the quote that closes a field, `""` being a quote within it; -1 when there is none yet. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
