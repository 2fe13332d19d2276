/** A piece of a line. */
export interface Span {
  readonly kind: "text" | "code" | "strong" | "emphasis";
  readonly text: string;
}

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly (readonly Span[])[];
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Span[])[])[] };

const fence = /^\s*(```|~~~)/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const bullet = /^\s*[-*+]\s+(.*)$/;
const numbered = /^\s*(\d+)[.)]\s+(.*)$/;
const tableRow = /^\s*\|.*\|\s*$/;
const tableRule = /^\s*\|[\s:|-]+\|\s*$/;

/** The blocks of a Markdown text. Never fails: what is not understood is a paragraph. */
export function markdownBlocks(text: string): readonly Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  /** Takes lines as long as they fit. */
  const take = (fits: (line: string) => boolean): readonly string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? "")) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const head = heading.exec(line);
    if (line.trim() === "") {
      at += 1;
    } else if (fence.test(line)) {
      at += 1;
      blocks.push({ kind: "code", text: take((next) => !fence.test(next)).join("\n") });
      at += 1;
    } else if (head !== null) {
      at += 1;
      blocks.push({ kind: "heading", level: head[1]?.length ?? 1, spans: spansOf(head[2] ?? "") });
    } else if (tableRow.test(line)) {
      const rows = take((next) => tableRow.test(next)).filter((row) => !tableRule.test(row));
      blocks.push({
        kind: "table",
        rows: rows.map((row) =>
          row
            .trim()
            .slice(1, -1)
            .split("|")
            .map((cell) => spansOf(cell.trim())),
        ),
      });
    } else if (bullet.test(line) || numbered.test(line)) {
      const own = take((next) => bullet.test(next) || numbered.test(next) || /^\s+\S/.test(next));
      blocks.push(listOf(own));
    } else {
      const own = take((next) => next.trim() !== "" && !startsBlock(next));
      // A line that starts a block but was not taken as one stands alone.
      blocks.push({
        kind: "paragraph",
        spans: spansOf((own.length === 0 ? [lines[at++] ?? ""] : own).join(" ")),
      });
    }
  }
  return blocks;
}

function startsBlock(line: string): boolean {
  return [fence, heading, bullet, numbered, tableRow].some((pattern) => pattern.test(line));
}

function listOf(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const text = bullet.exec(line)?.[1] ?? numbered.exec(line)?.[2];
    if (text !== undefined || items.length === 0) items.push(text ?? line.trim());
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const first = numbered.exec(lines[0] ?? "");
  return { kind: "list", ordered: first !== null, start: Number(first?.[1] ?? 1), items: items.map(spansOf) };
}

function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) spans.push({ kind: "text", text: text.slice(end, match.index) });
    if (match[1] !== undefined) spans.push({ kind: "code", text: match[1] });
    else if (match[2] !== undefined) spans.push({ kind: "strong", text: match[2] });
    else spans.push({ kind: "emphasis", text: match[3] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ kind: "text", text: text.slice(end) });
  return spans;
}
