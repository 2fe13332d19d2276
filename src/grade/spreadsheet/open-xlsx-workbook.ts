import { mainPart, readRelationships } from "../document/relationships.ts";
import { PackageProblem } from "../document/xml-scanner.ts";
import type { ZipPackage } from "../document/zip-package.ts";
import { builtInFormat } from "./number-format.ts";
import type { ScannedWorkbook } from "./scanned-row.ts";
import type { DefinedName, SheetVisibility } from "./workbook.ts";
import { xlsxSheetScanner } from "./xlsx-sheet-scanner.ts";

/** Characters of shared texts that are held in memory. */
const maxSharedCharacters = 200_000_000;
const maxSheets = 10_000;
/** Of shared texts, of formats, of names. */
const maxEntries = 5_000_000;

/** Reads what an XLSX file says before its sheets. */
export async function openXlsxWorkbook(zip: ZipPackage): Promise<ScannedWorkbook> {
  const part = await mainPart(zip);
  if (part === undefined || !zip.has(part)) throw new PackageProblem("it is no workbook");
  const relationships = await readRelationships(zip, part);
  const { sheets, definedNames, date1904 } = await readWorkbookPart(zip, part);
  const named = (type: string): string | undefined =>
    [...relationships.values()].find((relationship) => relationship.type === type)?.target;
  const formats = await readFormats(zip, named("styles"));
  const texts = await readSharedTexts(zip, named("sharedStrings"));

  const worksheets = sheets.flatMap(({ name, visibility, id }) => {
    const relationship = relationships.get(id);
    // Chart sheets hold no cells.
    if (relationship?.type !== "worksheet") return [];
    if (!zip.has(relationship.target)) throw new PackageProblem("it lacks the part of one of its sheets");
    const context = { texts, formats, date1904 };
    return [{ name, visibility, part: relationship.target, scanner: xlsxSheetScanner(context) }];
  });
  return {
    format: "xlsx",
    sheets: worksheets,
    definedNames,
    externalLinks: await readExternalLinks(
      zip,
      [...relationships.values()].map(({ target }) => target),
    ),
    macros: zip.names.some((name) => name.endsWith("vbaProject.bin") || name.startsWith("xl/macrosheets/")),
  };
}

interface SheetEntry {
  readonly name: string;
  readonly visibility: SheetVisibility;
  readonly id: string;
}

async function readWorkbookPart(
  zip: ZipPackage,
  part: string,
): Promise<{ sheets: SheetEntry[]; definedNames: DefinedName[]; date1904: boolean }> {
  const sheets: SheetEntry[] = [];
  const definedNames: DefinedName[] = [];
  let date1904 = false;
  let isWorkbook = false;
  let current: { name: string; hidden: boolean; text: string } | undefined;
  await zip.scan(part, {
    open: (element, attributes) => {
      if (element === "workbook") isWorkbook = true;
      else if (element === "workbookPr") date1904 = isTrue(attributes.get("date1904"));
      else if (element === "sheet") {
        if (sheets.length >= maxSheets) throw new PackageProblem("it has too many sheets");
        const visibility = visibilityOf(attributes.get("state"));
        sheets.push({ name: attributes.get("name") ?? "", visibility, id: attributes.get("id") ?? "" });
      } else if (element === "definedName") {
        if (definedNames.length >= maxSheets) throw new PackageProblem("it has too many names");
        current = { name: attributes.get("name") ?? "", hidden: isTrue(attributes.get("hidden")), text: "" };
      }
    },
    text: (text) => {
      if (current !== undefined) current.text += text;
    },
    close: (element) => {
      if (element !== "definedName" || current === undefined) return;
      definedNames.push({ name: current.name, refersTo: current.text, hidden: current.hidden });
      current = undefined;
    },
  });
  if (!isWorkbook) throw new PackageProblem("it is no workbook");
  return { sheets, definedNames, date1904 };
}

function visibilityOf(state: string | undefined): SheetVisibility {
  if (state === "veryHidden") return "very-hidden";
  return state === "hidden" ? "hidden" : "visible";
}

function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true" || text === "on";
}

/** The format code of each cell style, by the style's index; `undefined` is General. */
async function readFormats(
  zip: ZipPackage,
  part: string | undefined,
): Promise<readonly (string | undefined)[]> {
  const codes = new Map<number, string>();
  const formats: (string | undefined)[] = [];
  let inCellFormats = false;
  if (part === undefined || !zip.has(part)) return formats;
  await zip.scan(part, {
    open: (element, attributes) => {
      if (codes.size > maxEntries) throw new PackageProblem("it has too many formats");
      if (element === "numFmt")
        codes.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
      else if (element === "cellXfs") inCellFormats = true;
      else if (element === "xf" && inCellFormats) {
        const id = Number(attributes.get("numFmtId") ?? 0);
        const code = codes.get(id) ?? builtInFormat(id);
        if (formats.length >= maxEntries) throw new PackageProblem("it has too many formats");
        formats.push(code === "General" ? undefined : code);
      }
    },
    close: (element) => {
      if (element === "cellXfs") inCellFormats = false;
    },
    text: () => undefined,
  });
  return formats;
}

async function readSharedTexts(zip: ZipPackage, part: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let current = "";
  let characters = 0;
  let inText = false;
  let inPhonetic = false;
  if (part === undefined || !zip.has(part)) return texts;
  await zip.scan(part, {
    open: (element) => {
      if (element === "si") current = "";
      else if (element === "rPh") inPhonetic = true;
      else if (element === "t") inText = !inPhonetic;
    },
    text: (text) => {
      if (!inText) return;
      characters += text.length;
      if (characters > maxSharedCharacters) throw new PackageProblem("its texts are too long");
      current += text;
    },
    close: (element) => {
      if (element === "t") inText = false;
      else if (element === "rPh") inPhonetic = false;
      else if (element === "si") {
        if (texts.length >= maxEntries) throw new PackageProblem("it has too many texts");
        texts.push(current);
      }
    },
  });
  return texts;
}

async function readExternalLinks(zip: ZipPackage, parts: readonly string[]): Promise<readonly string[]> {
  const links = new Set<string>();
  for (const part of parts) {
    if (!/externalLink\d*\.xml$/i.test(part)) continue;
    for (const { target, external } of (await readRelationships(zip, part)).values()) {
      if (external) links.add(target);
    }
  }
  return [...links];
}
