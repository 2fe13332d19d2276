import type { XmlHandler } from "../document/xml-scanner.ts";
import { PackageProblem, XmlScanner } from "../document/xml-scanner.ts";
import type { PackageLimits } from "../document/zip-package.ts";
import { ZipPackage } from "../document/zip-package.ts";
import { openOdsWorkbook } from "./open-ods-workbook.ts";
import { openXlsxWorkbook } from "./open-xlsx-workbook.ts";
import type { ScannedRow, ScannedWorkbook } from "./scanned-row.ts";

/** A workbook whose rows can be read one sheet at a time. Methods throw a `PackageProblem`. */
export interface OpenWorkbook extends ScannedWorkbook, Disposable {
  /** The rows of a sheet that hold something, in order, in batches. */
  readonly rows: (sheet: number) => AsyncGenerator<readonly ScannedRow[]>;
}

/** Opens XLSX or ODS, told apart by content. */
export async function openWorkbook(path: string, limits: PackageLimits = {}): Promise<OpenWorkbook> {
  const zip = await ZipPackage.open(path, limits);
  try {
    const isOds = zip.has("content.xml");
    const scanned = isOds ? await openOdsWorkbook(zip) : await openXlsxWorkbook(zip);
    return {
      ...scanned,
      rows: (sheet) => scanRows(zip, scanned, sheet),
      [Symbol.dispose]: () => zip[Symbol.dispose](),
    };
  } catch (error) {
    zip[Symbol.dispose]();
    throw error;
  }
}

async function* scanRows(
  zip: ZipPackage,
  workbook: ScannedWorkbook,
  sheet: number,
): AsyncGenerator<readonly ScannedRow[]> {
  const info = workbook.sheets[sheet];
  if (info === undefined) throw new PackageProblem(`it has no sheet ${sheet + 1}`);
  let batch: ScannedRow[] = [];
  const handler: XmlHandler = info.scanner((row) => batch.push(row));
  const scanner = new XmlScanner(handler);
  for await (const piece of zip.text(info.part)) {
    scanner.write(piece);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  scanner.end();
  if (batch.length > 0) yield batch;
}
