import { basename } from "node:path";
import { PackageProblem } from "../document/xml-scanner.ts";
import type { PackageLimits } from "../document/zip-package.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { formatAddress } from "./cell-address.ts";
import { openWorkbook } from "./open-workbook.ts";
import type { Workbook, WorkbookCell, WorkbookSheet } from "./workbook.ts";

export interface WorkbookLimits extends PackageLimits {
  /** Of all sheets together, default 2,000,000: they are held in memory. */
  readonly maxCells?: number;
}

/**
 * Reads an XLSX or ODS workbook whole: values as last computed, formulas, number formats, hidden sheets, defined names,
 * external links. Shared formulas are written out for each cell. Bad for what is damaged, encrypted, bomb-like,
 * or beyond the limits. For tables of many rows, `readTable` needs less memory.
 *
 * @param path of a file on the host, e.g. from `locateArtifact`.
 */
export async function readWorkbook(path: string, limits: WorkbookLimits = {}): Promise<Read<Workbook>> {
  const maxCells = limits.maxCells ?? 2_000_000;
  let left = maxCells;
  try {
    using workbook = await openWorkbook(path, limits);
    const sheets: WorkbookSheet[] = [];
    for (const [index, { name, visibility }] of workbook.sheets.entries()) {
      const cells = new Map<string, WorkbookCell>();
      for await (const batch of workbook.rows(index)) {
        for (const { row, cells: scanned } of batch) {
          left -= scanned.length;
          if (left < 0) throw new PackageProblem(`it has more than ${maxCells} cells`);
          for (const { column, ...cell } of scanned) {
            const address = formatAddress({ row, column });
            cells.set(address, { address, ...cell });
          }
        }
      }
      sheets.push({ name, visibility, cells });
    }
    const { format, definedNames, externalLinks, macros } = workbook;
    return ok({ format, sheets, definedNames, externalLinks, macros });
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    return bad(`${quote(basename(path))} cannot be read as a workbook: ${error.message}.`);
  }
}
