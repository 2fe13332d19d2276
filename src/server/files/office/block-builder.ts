import type { DocumentBlock, TextSpan } from "../../api/artifact-preview.ts";

/** How a paragraph stands in its document. */
export interface ParagraphForm {
  /** 1 to 6. */
  readonly heading?: number;
  readonly list?: { readonly level: number; readonly ordered: boolean };
}

/** Gathers blocks while a document is read; paragraphs inside a table go to its cells. */
export interface BlockBuilder {
  readonly full: boolean;
  text(text: string, look: Omit<TextSpan, "text">): void;
  endParagraph(form: ParagraphForm): void;
  image(source: string): void;
  startTable(): void;
  startRow(): void;
  startCell(): void;
  endTable(): void;
  heading(text: string): void;
  finish(): { readonly blocks: readonly DocumentBlock[]; readonly clipped: boolean };
}

const mostBlocks = 2000;
const mostCharacters = 400_000;

export function createBlockBuilder(): BlockBuilder {
  const blocks: DocumentBlock[] = [];
  let spans: TextSpan[] = [];
  let characters = 0;
  /** Nested tables are read into the cell they stand in. */
  let depth = 0;
  let rows: TextSpan[][][] = [];

  function isFull(): boolean {
    return blocks.length >= mostBlocks || characters >= mostCharacters;
  }

  function cell(): TextSpan[] | undefined {
    return rows.at(-1)?.at(-1);
  }

  return {
    get full() {
      return isFull();
    },
    text(text, look) {
      if (text === "" || isFull()) return;
      characters += text.length;
      const last = spans.at(-1);
      if (last !== undefined && sameLook(last, look))
        spans[spans.length - 1] = { ...last, text: last.text + text };
      else spans.push({ text, ...look });
    },
    endParagraph(form) {
      const own = spans;
      spans = [];
      if (depth > 0) {
        const target = cell();
        if (target === undefined || own.length === 0) return;
        if (target.length > 0) target.push({ text: "\n" });
        target.push(...own);
      } else if (own.length > 0) blocks.push({ kind: "paragraph", spans: own, ...form });
    },
    image(source) {
      blocks.push({ kind: "image", source });
    },
    startTable() {
      depth += 1;
      if (depth === 1) rows = [];
    },
    startRow() {
      if (depth === 1) rows.push([]);
    },
    startCell() {
      if (depth === 1) rows.at(-1)?.push([]);
    },
    endTable() {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && rows.length > 0) blocks.push({ kind: "table", rows });
    },
    heading(text) {
      blocks.push({ kind: "paragraph", spans: [{ text }], heading: 2 });
    },
    finish() {
      return { blocks, clipped: isFull() };
    },
  };
}

function sameLook(span: TextSpan, look: Omit<TextSpan, "text">): boolean {
  return (["bold", "italic", "struck", "added"] as const).every(
    (key) => (span[key] ?? false) === (look[key] ?? false),
  );
}
