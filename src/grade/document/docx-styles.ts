import { PackageProblem } from "./xml-scanner.ts";
import type { ZipPackage } from "./zip-package.ts";

export interface ParagraphStyle {
  readonly name: string;
  readonly headingLevel?: number;
  readonly numbering?: { readonly id: string; readonly level: number };
}

interface MutableStyle {
  name: string;
  basedOn?: string;
  outline?: number;
  numberingId?: string;
  numberingLevel?: number;
}

const maxStyles = 20_000;

/** Paragraph styles by id, with what they inherit. */
export async function readStyles(
  zip: ZipPackage,
  part: string | undefined,
): Promise<ReadonlyMap<string, ParagraphStyle>> {
  const styles = new Map<string, MutableStyle>();
  let style: MutableStyle = { name: "" };
  if (part === undefined || !zip.has(part)) return new Map();
  await zip.scan(part, {
    open: (element, attributes) => {
      const value = attributes.get("val");
      if (element === "style") {
        if (styles.size >= maxStyles) throw new PackageProblem("it has too many styles");
        style = { name: "" };
        styles.set(attributes.get("styleId") ?? "", style);
      } else if (value === undefined) return;
      else if (element === "name") style.name = value;
      else if (element === "basedOn") style.basedOn = value;
      else if (element === "outlineLvl") style.outline = Number(value);
      else if (element === "numId") style.numberingId = value;
      else if (element === "ilvl") style.numberingLevel = Number(value);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return new Map([...styles.keys()].map((id) => [id, resolve(styles, id)]));
}

function resolve(styles: ReadonlyMap<string, MutableStyle>, id: string): ParagraphStyle {
  const own = styles.get(id);
  let outline = ofName(own?.name ?? "");
  let numberingId: string | undefined;
  let numberingLevel: number | undefined;
  // Bounded, since a style may be made to inherit from itself.
  let style = own;
  for (let step = 0; style !== undefined && step < 20; step++) {
    outline ??= style.outline;
    numberingId ??= style.numberingId;
    numberingLevel ??= style.numberingLevel;
    style = style.basedOn === undefined ? undefined : styles.get(style.basedOn);
  }
  return {
    name: own?.name ?? "",
    ...(outline !== undefined && outline < 9 ? { headingLevel: outline + 1 } : {}),
    ...(numberingId === undefined ? {} : { numbering: { id: numberingId, level: numberingLevel ?? 0 } }),
  };
}

/** Word knows its headings by name, whether or not the outline level is written. */
function ofName(name: string): number | undefined {
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level) - 1;
}

/** The list kind of `numbering id/level`. */
export async function readNumbering(
  zip: ZipPackage,
  part: string | undefined,
): Promise<ReadonlyMap<string, "bulleted" | "numbered">> {
  const formats = new Map<string, string>();
  const numberings = new Map<string, string>();
  let [abstract, level, numbering] = ["", "", ""];
  if (part === undefined || !zip.has(part)) return new Map();
  await zip.scan(part, {
    open: (element, attributes) => {
      if (formats.size + numberings.size > 10 * maxStyles) throw new PackageProblem("it has too many lists");
      if (element === "abstractNum") abstract = attributes.get("abstractNumId") ?? "";
      else if (element === "lvl") level = attributes.get("ilvl") ?? "";
      else if (element === "numFmt") formats.set(`${abstract}/${level}`, attributes.get("val") ?? "");
      else if (element === "num") numbering = attributes.get("numId") ?? "";
      else if (element === "abstractNumId") numberings.set(numbering, attributes.get("val") ?? "");
    },
    close: () => undefined,
    text: () => undefined,
  });
  const kinds = new Map<string, "bulleted" | "numbered">();
  for (const [id, of] of numberings) {
    for (let at = 0; at < 9; at++) {
      const format = formats.get(`${of}/${at}`);
      if (format !== undefined) kinds.set(`${id}/${at}`, format === "bullet" ? "bulleted" : "numbered");
    }
  }
  return kinds;
}
