import { PackageProblem } from "../document/xml-scanner.ts";
import type { ZipPackage } from "../document/zip-package.ts";
import { fromOpenFormula, odsSheetScanner } from "./ods-sheet-scanner.ts";
import type { ScannedWorkbook } from "./scanned-row.ts";
import type { DefinedName } from "./workbook.ts";

const maxSheets = 10_000;

/** Reads what an ODS file says besides its rows: one pass over its content. */
export async function openOdsWorkbook(zip: ZipPackage): Promise<ScannedWorkbook> {
  const hiddenStyles = new Set<string>();
  const sheets: { name: string; style: string }[] = [];
  const definedNames: DefinedName[] = [];
  const links = new Set<string>();
  let style = "";
  let depth = 0;
  let isSpreadsheet = false;
  await zip.scan("content.xml", {
    open: (element, attributes) => {
      if (element === "spreadsheet") isSpreadsheet = true;
      else if (element === "style") style = attributes.get("name") ?? "";
      else if (element === "table-properties" && attributes.get("display") === "false")
        hiddenStyles.add(style);
      else if (element === "table") {
        if (depth++ > 0) return;
        if (sheets.length >= maxSheets) throw new PackageProblem("it has too many sheets");
        sheets.push({ name: attributes.get("name") ?? "", style: attributes.get("style-name") ?? "" });
      } else if (element === "table-source" && links.size < maxSheets)
        links.add(attributes.get("href") ?? "");
      else if (element === "named-range" || element === "named-expression") {
        if (definedNames.length >= maxSheets) throw new PackageProblem("it has too many names");
        const refersTo = attributes.get("cell-range-address") ?? attributes.get("expression") ?? "";
        definedNames.push({
          name: attributes.get("name") ?? "",
          refersTo: fromOpenFormula(/^[[=]|\[/.test(refersTo) ? refersTo : `[${refersTo}]`),
          hidden: attributes.get("hidden") === "true",
        });
      }
    },
    close: (element) => {
      if (element === "table") depth--;
    },
    text: () => undefined,
  });
  if (!isSpreadsheet) throw new PackageProblem("it is no workbook");
  return {
    format: "ods",
    sheets: sheets.map(({ name, style: ofSheet }, index) => ({
      name,
      visibility: hiddenStyles.has(ofSheet) ? "hidden" : "visible",
      part: "content.xml",
      scanner: odsSheetScanner(index),
    })),
    definedNames,
    externalLinks: [...links],
    macros: zip.names.some((name) => name.startsWith("Basic/") || name.startsWith("Scripts/")),
  };
}
