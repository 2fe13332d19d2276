import type { ArtifactPreview, TextSpan } from "../../api/artifact-preview.ts";
import { type BlockBuilder, createBlockBuilder } from "./block-builder.ts";
import { openPackage } from "./open-package.ts";
import { xmlTokens } from "./xml-tokens.ts";

/** The words and tables of a presentation, slide by slide. */
export async function pptxPreview(path: string): Promise<ArtifactPreview> {
  const parts = await openPackage(path);
  const slides = parts.names
    .flatMap((name) => {
      const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((one, other) => one.number - other.number);
  if (slides.length === 0) return { kind: "none", reason: "it holds no slide" };
  const builder = createBlockBuilder();
  for (const { name, number } of slides) {
    builder.heading(String(number));
    readSlide(parts.text(name) ?? "", builder);
  }
  return { kind: "document", ...builder.finish() };
}

function readSlide(xml: string, builder: BlockBuilder): void {
  let look: Omit<TextSpan, "text"> = {};
  let inText = false;
  for (const token of xmlTokens(xml)) {
    if (builder.full) return;
    if (token.kind === "text") {
      if (inText) builder.text(token.text, look);
      continue;
    }
    const opens = token.kind === "open";
    switch (token.name) {
      case "a:p":
        if (!opens) builder.endParagraph({});
        break;
      case "a:r":
        look = {};
        break;
      case "a:rPr":
        if (token.kind === "open") {
          look = {
            ...(token.attributes["b"] === "1" ? { bold: true } : {}),
            ...(token.attributes["i"] === "1" ? { italic: true } : {}),
          };
        }
        break;
      case "a:t":
        inText = opens;
        break;
      case "a:br":
        if (opens) builder.text("\n", look);
        break;
      case "a:tbl":
        if (opens) builder.startTable();
        else builder.endTable();
        break;
      case "a:tr":
        if (opens) builder.startRow();
        break;
      case "a:tc":
        if (opens) builder.startCell();
        break;
    }
  }
}
