import type { ArtifactPreview, TextSpan } from "../../api/artifact-preview.ts";
import { type BlockBuilder, createBlockBuilder, type ParagraphForm } from "./block-builder.ts";
import { headingLevels, orderedLists } from "./docx-forms.ts";
import { type OfficePackage, openPackage, relationTargets } from "./open-package.ts";
import { xmlTokens } from "./xml-tokens.ts";

const mostImages = 12;
const imageBytes = 600 * 1000;

/** A word processor's document as blocks of text: headings, lists, tables, images, tracked changes, notes, comments. */
export async function docxPreview(path: string): Promise<ArtifactPreview> {
  const parts = await openPackage(path);
  const main = parts.text("word/document.xml");
  if (main === undefined) return { kind: "none", reason: "it holds no document" };
  const builder = createBlockBuilder();
  readStory(main, parts, builder);
  for (const [name, title] of [
    ["word/footnotes.xml", "Footnotes"],
    ["word/endnotes.xml", "Endnotes"],
    ["word/comments.xml", "Comments"],
  ] as const) {
    const xml = parts.text(name);
    if (xml === undefined || !/<w:t[ >]/.test(xml)) continue;
    builder.heading(title);
    readStory(xml, parts, builder);
  }
  return { kind: "document", ...builder.finish() };
}

function readStory(xml: string, parts: OfficePackage, builder: BlockBuilder): void {
  const headings = headingLevels(parts.text("word/styles.xml"));
  const ordered = orderedLists(parts.text("word/numbering.xml"));
  const relations = relationTargets(parts.text("word/_rels/document.xml.rels"));
  let look: Omit<TextSpan, "text"> = {};
  let form: { heading?: number; level?: number; list?: string } = {};
  const inside = { run: 0, text: 0, added: 0, deleted: 0 };
  let images = 0;
  for (const token of xmlTokens(xml)) {
    if (builder.full) return;
    if (token.kind === "text") {
      const changes = {
        ...(inside.added > 0 ? { added: true } : {}),
        ...(inside.deleted > 0 ? { struck: true } : {}),
      };
      if (inside.text > 0) builder.text(token.text, { ...look, ...changes });
      continue;
    }
    const step = token.kind === "open" ? 1 : -1;
    const value = token.kind === "open" ? token.attributes["w:val"] : undefined;
    switch (token.name) {
      case "w:p":
        if (step < 0) builder.endParagraph(paragraphForm(form, ordered));
        form = {};
        break;
      case "w:pStyle": {
        const level = headings.get(value ?? "");
        if (step > 0 && level !== undefined) form.heading = level;
        break;
      }
      case "w:ilvl":
        if (step > 0) form.level = Number(value);
        break;
      case "w:numId":
        if (step > 0 && value !== undefined && value !== "0") form.list = value;
        break;
      case "w:r":
        inside.run += step;
        look = {};
        break;
      case "w:b":
      case "w:i":
      case "w:strike":
        if (step > 0 && inside.run > 0 && value !== "0" && value !== "false") {
          look = { ...look, [{ "w:b": "bold", "w:i": "italic", "w:strike": "struck" }[token.name]]: true };
        }
        break;
      case "w:t":
      case "w:delText":
        inside.text += step;
        break;
      case "w:tab":
        if (step > 0 && inside.run > 0) builder.text("\t", look);
        break;
      case "w:br":
      case "w:cr":
        if (step > 0) builder.text("\n", look);
        break;
      case "w:ins":
        inside.added += step;
        break;
      case "w:del":
        inside.deleted += step;
        break;
      case "w:tbl":
        if (step > 0) builder.startTable();
        else builder.endTable();
        break;
      case "w:tr":
        if (step > 0) builder.startRow();
        break;
      case "w:tc":
        if (step > 0) builder.startCell();
        break;
      case "a:blip": {
        const source =
          token.kind === "open" ? imageOf(token.attributes["r:embed"], relations, parts) : undefined;
        if (source !== undefined && images++ < mostImages) builder.image(source);
        break;
      }
    }
  }
}

function paragraphForm(
  { heading, level = 0, list }: { heading?: number; level?: number; list?: string },
  ordered: ReadonlySet<string>,
): ParagraphForm {
  if (heading !== undefined) return { heading };
  return list === undefined ? {} : { list: { level, ordered: ordered.has(list) } };
}

/** As an address that holds it: only kinds that nothing can run in. */
function imageOf(
  id: string | undefined,
  relations: ReadonlyMap<string, string>,
  parts: OfficePackage,
): string | undefined {
  const target = relations.get(id ?? "");
  const type = /\.(png|jpe?g|gif|webp)$/i.exec(target ?? "")?.[1]?.toLowerCase();
  const bytes = target === undefined ? undefined : parts.bytes(`word/${target}`.replace(/^word\/\//, ""));
  if (bytes === undefined || type === undefined || bytes.length > imageBytes) return undefined;
  return `data:image/${type === "jpg" ? "jpeg" : type};base64,${Buffer.from(bytes).toString("base64")}`;
}
