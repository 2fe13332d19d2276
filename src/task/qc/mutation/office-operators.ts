import { unzipSync, zipSync } from "fflate";
import type { Random } from "../../../contract/random.ts";
import { changeNumber, changeValue } from "./change-value.ts";
import type { MutationOperator } from "./operator.ts";

interface XmlChange {
  /** Parts of the archive it works on. */
  readonly part: RegExp;
  /** What it looks for; the group that matched is the value, where there is one. */
  readonly element: RegExp;
  readonly what: string;
  change(value: string, whole: string, random: Random): string;
}

const inside = (whole: string, value: string, changed: string): string =>
  whole.replace(`>${value}<`, () => `>${changed}<`);

const sheet = /^xl\/worksheets\/[^/]+\.xml$/;

const workbookChanges: readonly XmlChange[] = [
  {
    part: sheet,
    element:
      /<c\b(?![^>]*\bt="(?:s|str|b|e)")[^>]*>(?:<f[^>]*>[^<]*<\/f>|<f[^>]*\/>)?<v>(-?[\d.eE+-]+)<\/v><\/c>/g,
    what: "number moved",
    change: (value, whole, random) => inside(whole, value, changeNumber(value, random)),
  },
  {
    part: /^xl\/(sharedStrings|worksheets\/[^/]+)\.xml$/,
    element: /<t(?:\s[^>]*)?>([^<&]+)<\/t>|<c\b[^>]*\bt="str"[^>]*><v>([^<&]+)<\/v>/g,
    what: "text changed",
    change: (value, whole, random) => inside(whole, value, changeValue(value, random)),
  },
  { part: sheet, element: /<f[^>]*>[^<]*<\/f>/g, what: "formula replaced by its value", change: () => "" },
  { part: sheet, element: /<row\b[^>]*>.*?<\/row>/gs, what: "row dropped", change: () => "" },
];

const documentChanges: readonly XmlChange[] = [
  {
    part: /^word\/document\.xml$/,
    element: /<w:t(?:\s[^>]*)?>([^<&]+)<\/w:t>/g,
    what: "text changed",
    change: (value, whole, random) => inside(whole, value, changeValue(value, random)),
  },
  {
    part: /^word\/document\.xml$/,
    element: /<w:tr\b.*?<\/w:tr>/gs,
    what: "table row dropped",
    change: () => "",
  },
  {
    part: /^word\/document\.xml$/,
    element: /<w:p\b(?:(?!<w:p\b).)*?<w:t.*?<\/w:p>/gs,
    what: "paragraph emptied",
    change: () => "<w:p/>",
  },
];

/** For XLSX workbooks: numbers moved, texts changed, formulas replaced by their values, rows dropped. */
export const workbookOperators: readonly MutationOperator[] = workbookChanges.map(overXml);

/** For DOCX documents: texts changed, paragraphs and table rows dropped. */
export const documentOperators: readonly MutationOperator[] = documentChanges.map(overXml);

function overXml(operator: XmlChange): MutationOperator {
  return (bytes, random) => {
    const parts = unzipOrNothing(bytes);
    if (parts === undefined) return undefined;
    const names = Object.keys(parts).filter((name) => operator.part.test(name));
    for (const name of random.shuffle(names)) {
      const text = new TextDecoder().decode(parts[name]);
      const found = [...text.matchAll(operator.element)];
      if (found.length === 0) continue;
      const match = random.pick(found);
      const [whole, first, second] = match;
      const value = first ?? second ?? "";
      const changed = operator.change(value, whole, random);
      const edited = text.slice(0, match.index) + changed + text.slice(match.index + whole.length);
      const file = { ...parts, [name]: new TextEncoder().encode(edited) };
      const where = value === "" ? "" : ` (${value.slice(0, 40)})`;
      return { what: `${name}: ${operator.what}${where}`, bytes: zipSync(file, { mtime: "1980-01-01" }) };
    }
    return undefined;
  };
}

function unzipOrNothing(bytes: Uint8Array): Record<string, Uint8Array> | undefined {
  try {
    return unzipSync(bytes);
  } catch (error) {
    // What calls itself an office file and is no archive has nothing to change inside.
    if (typeof (error as { readonly code?: unknown }).code === "number") return undefined;
    throw error;
  }
}
