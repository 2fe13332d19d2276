import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { PackageProblem } from "../document/xml-scanner.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { parseAddress } from "./cell-address.ts";
import type { ExpectedValue } from "./compare-cells.ts";
import { type CellEdit, editCells } from "./edit-cells.ts";
import { convertAllByLibreOffice, convertByLibreOffice } from "./libre-office.ts";
import { openWorkbook } from "./open-workbook.ts";
import { readWorkbook, type WorkbookLimits } from "./read-workbook.ts";
import type { Workbook } from "./workbook.ts";

export interface SpreadsheetEdit {
  readonly sheet: string;
  /** For example `B7`. */
  readonly cell: string;
  /** Replaces a constant or a formula; `null` empties the cell. */
  readonly value: ExpectedValue;
}

export interface RecalculateOptions {
  /** XLSX or ODS. Not changed. */
  readonly path: string;
  /** Default none: recalculated as it is. */
  readonly edits?: readonly SpreadsheetEdit[];
  /** A folder where the grader may write; a folder made in it is removed at the end. */
  readonly scratch: string;
  /** For each of at most two runs of LibreOffice, default 120,000 ms. */
  readonly timeoutMs?: number;
  /** Name or path of LibreOffice, default `soffice`. */
  readonly program?: string;
  readonly limits?: WorkbookLimits;
}

/** A workbook as LibreOffice computes it, without and with the edits. */
export interface Recalculation {
  readonly before: Workbook;
  /** The same object as `before` when there are no edits. */
  readonly after: Workbook;
}

/**
 * Recalculates every formula of a workbook in LibreOffice, without network and macros, first as it is, then with some
 * cells edited. What an agent's program left as cached results does not count. Bad when the workbook cannot be read
 * or loaded within the time, or lacks an edited sheet.
 * Throws an `AleError`: `program-missing`, `libreoffice-broken`, or `spreadsheet-misuse` for a bad address.
 */
export async function recalculateSpreadsheet(options: RecalculateOptions): Promise<Read<Recalculation>> {
  const edits = options.edits ?? [];
  const made = await recalculateVariants({ ...options, variants: edits.length === 0 ? [] : [edits] });
  if (made.kind === "bad") return made;
  const { before, variants } = made.value;
  return ok({ before, after: variants[0] ?? before });
}

export interface VariantOptions extends Omit<RecalculateOptions, "edits"> {
  /** Each a set of edits of the workbook as it is, such as the positions of a switch. */
  readonly variants: readonly (readonly SpreadsheetEdit[])[];
}

/** A workbook as LibreOffice computes it, without edits and with each set of them. */
export interface RecalculatedVariants {
  readonly before: Workbook;
  /** In the order of the sets. */
  readonly variants: readonly Workbook[];
}

/** Like {@link recalculateSpreadsheet} for several sets of edits, in two runs of LibreOffice altogether. */
export async function recalculateVariants(options: VariantOptions): Promise<Read<RecalculatedVariants>> {
  const sets = options.variants.map((edits) =>
    edits.map((edit) => ({ ...edit, position: positionOf(edit) })),
  );
  const original = await readWorkbook(options.path, options.limits);
  if (original.kind === "bad") return original;
  await makeFolder(options.scratch);
  const scratch = await mkdtemp(join(options.scratch, "recalculate-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));

  const name = quote(basename(options.path));
  const copy = join(scratch, `original.${original.value.format}`);
  await copyFile(options.path, copy);
  const first = await convertByLibreOffice(copy, "xlsx", { ...options, scratch });
  if (first.kind === "failed") return bad(`${name} cannot be recalculated: ${first.reason}.`);
  const before = await readWorkbook(first.path, options.limits);
  if (before.kind === "bad") return before;
  if (sets.length === 0) return ok({ before: before.value, variants: [] });

  const parts = await sheetParts(first.path);
  const bytes = await readFile(first.path);
  const edited: string[] = [];
  for (const [index, set] of sets.entries()) {
    const placed: CellEdit[] = [];
    for (const { sheet, position, value } of set) {
      const part = parts.get(sheet.trim().toLowerCase());
      if (part === undefined) return bad(`${name} has no sheet ${quote(sheet)}.`);
      placed.push({ part, position, value });
    }
    const path = join(scratch, `edited-${index + 1}.xlsx`);
    try {
      await writeFile(path, editCells(bytes, placed));
    } catch (error) {
      if (!(error instanceof PackageProblem)) throw error;
      return bad(`${name} cannot be recalculated: ${error.message}.`);
    }
    edited.push(path);
  }
  const second = await convertAllByLibreOffice(edited, "xlsx", { ...options, scratch });
  if (second.kind === "failed") return bad(`${name} cannot be recalculated: ${second.reason}.`);
  const variants: Workbook[] = [];
  for (const path of second.paths) {
    const workbook = await readWorkbook(path, options.limits);
    if (workbook.kind === "bad") return workbook;
    variants.push(workbook.value);
  }
  return ok({ before: before.value, variants });
}

function positionOf(edit: SpreadsheetEdit): CellEdit["position"] {
  const position = parseAddress(edit.cell);
  if (position !== undefined) return position;
  throw new AleError({
    code: "spreadsheet-misuse",
    message: `The edit of sheet "${edit.sheet}" names no cell: ${JSON.stringify(edit.cell)}.`,
    remedy: "Write it like B7.",
  });
}

async function sheetParts(path: string): Promise<ReadonlyMap<string, string>> {
  using workbook = await openWorkbook(path);
  return new Map(workbook.sheets.map(({ name, part }) => [name.trim().toLowerCase(), part]));
}
