import { xmlTokens } from "./xml-tokens.ts";

/** Heading levels by the id of a paragraph style. */
export function headingLevels(stylesXml: string | undefined): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  let style = "";
  for (const token of xmlTokens(stylesXml ?? "")) {
    if (token.kind !== "open") continue;
    const value = token.attributes["w:val"] ?? "";
    if (token.name === "w:style") style = token.attributes["w:styleId"] ?? "";
    else if (token.name === "w:name") {
      const level = /^heading (\d)$/i.exec(value)?.[1];
      if (level !== undefined) levels.set(style, Number(level));
      else if (/^title$/i.test(value)) levels.set(style, 1);
    } else if (token.name === "w:outlineLvl" && style !== "" && !levels.has(style)) {
      const level = Number(value) + 1;
      if (level >= 1 && level <= 6) levels.set(style, level);
    }
  }
  return levels;
}

/** Lists (their `numId`) that are numbered on their first level; the others have bullets. */
export function orderedLists(numberingXml: string | undefined): ReadonlySet<string> {
  const formats = new Map<string, string>();
  const ordered = new Set<string>();
  let [abstract, list] = ["", ""];
  for (const token of xmlTokens(numberingXml ?? "")) {
    if (token.kind !== "open") continue;
    const { name, attributes } = token;
    const value = attributes["w:val"] ?? "";
    if (name === "w:abstractNum") abstract = attributes["w:abstractNumId"] ?? "";
    else if (name === "w:numFmt" && !formats.has(abstract)) formats.set(abstract, value);
    else if (name === "w:num") list = attributes["w:numId"] ?? "";
    else if (name === "w:abstractNumId" && (formats.get(value) ?? "bullet") !== "bullet") ordered.add(list);
  }
  return ordered;
}
