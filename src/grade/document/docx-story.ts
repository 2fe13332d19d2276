import type { DocumentBlock, DocumentParagraph, Revision } from "./docx-document.ts";
import type { ParagraphStyle } from "./docx-styles.ts";
import { PackageProblem, type XmlAttributes, type XmlHandler } from "./xml-scanner.ts";

export interface StoryContext {
  readonly revisions: "accepted" | "rejected";
  readonly styles: ReadonlyMap<string, ParagraphStyle>;
  readonly numbering: ReadonlyMap<string, "bulleted" | "numbered">;
}

interface OpenParagraph {
  text: string;
  style: string | undefined;
  outline: number | undefined;
  numberingId: string | undefined;
  numberingLevel: number | undefined;
  /** The paragraph's end is tracked away: it runs on into the next. */
  runsOn: boolean;
}

interface OpenTable {
  readonly rows: string[][];
  row: string[];
  cell: string[];
  rowGone: boolean;
}

const maxCharacters = 50_000_000;
/** Paragraphs and tracked changes of one story, each. */
const maxParts = 1_000_000;

/** Reads the paragraphs, tables and tracked changes of one story of WordprocessingML. */
export class DocxStory implements XmlHandler {
  readonly blocks: DocumentBlock[] = [];
  readonly revisions: Revision[] = [];
  /** Text that each comment is about, by its id. */
  readonly commented: Map<string, string> = new Map();
  readonly #context: StoryContext;
  readonly #path: string[] = [];
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: OpenTable[] = [];
  readonly #changes: { kind: Revision["kind"]; author: string; date: string | undefined; text: string }[] =
    [];
  readonly #openComments = new Set<string>();
  #carried = "";
  #characters = 0;
  #skipping = 0;
  #parts = 0;

  constructor(context: StoryContext) {
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes): void {
    // What a property was before, and the second form of what is drawn, are not text.
    if (this.#skipping > 0 || name === "Fallback" || /^[a-zA-Z]+Change$/.test(name)) {
      this.#skipping++;
      return;
    }
    const parent = this.#path.at(-1);
    this.#path.push(name);
    const paragraph = this.#paragraphs.at(-1);
    const value = attributes.get("val");
    if (name === "p") {
      this.#paragraphs.push({ ...emptyParagraph, text: this.#carried });
      this.#carried = "";
    } else if (name === "tbl") this.#tables.push({ rows: [], row: [], cell: [], rowGone: false });
    else if (name === "ins" || name === "moveTo") this.#change("insertion", parent, attributes);
    else if (name === "del" || name === "moveFrom") this.#change("deletion", parent, attributes);
    // Within properties it is a stop, not a character.
    else if (name === "tab" && parent === "r") this.#append("\t");
    else if (name === "br" || name === "cr") this.#append("\n");
    else if (name === "noBreakHyphen") this.#append("-");
    else if (name === "commentRangeStart") this.#openComment(attributes.get("id") ?? "");
    else if (name === "commentRangeEnd") this.#openComments.delete(attributes.get("id") ?? "");
    if (paragraph === undefined || value === undefined) return;
    if (name === "pStyle") paragraph.style = value;
    else if (name === "outlineLvl") paragraph.outline = Number(value);
    else if (name === "numId") paragraph.numberingId = value;
    else if (name === "ilvl") paragraph.numberingLevel = Number(value);
  }

  text(text: string): void {
    const inside = this.#path.at(-1);
    if (this.#skipping === 0 && (inside === "t" || inside === "delText")) this.#append(text);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping--;
      return;
    }
    this.#path.pop();
    const table = this.#tables.at(-1);
    if (name === "p") this.#closeParagraph();
    else if (name === "tc" && table !== undefined) {
      table.row.push(table.cell.join("\n"));
      table.cell = [];
      if (++this.#parts > maxParts) throw tooMuch();
    } else if (name === "tr" && table !== undefined) {
      if (!table.rowGone && table.row.length > 0) table.rows.push(table.row);
      table.row = [];
      table.rowGone = false;
    } else if (name === "tbl") this.#closeTable();
    else if (/^(ins|del|moveTo|moveFrom)$/.test(name) && !isMark(this.#path.at(-1))) this.#closeChange();
  }

  #openComment(id: string): void {
    this.#openComments.add(id);
    if (this.#openComments.size > 1000) throw new PackageProblem("its comments overlap beyond all measure");
  }

  #change(kind: Revision["kind"], parent: string | undefined, attributes: XmlAttributes): void {
    const gone = (kind === "deletion") === (this.#context.revisions === "accepted");
    const paragraph = this.#paragraphs.at(-1);
    const table = this.#tables.at(-1);
    if (parent === "rPr") {
      if (gone && paragraph !== undefined && this.#path.at(-3) === "pPr") paragraph.runsOn = true;
    } else if (parent === "trPr") {
      if (gone && table !== undefined) table.rowGone = true;
    } else if (!isMark(parent)) {
      const author = attributes.get("author") ?? "";
      this.#changes.push({ kind, author, date: attributes.get("date"), text: "" });
    }
  }

  #closeChange(): void {
    if (this.revisions.length >= maxParts) throw tooMuch();
    const change = this.#changes.pop();
    if (change === undefined || change.text === "") return;
    const { date, ...revision } = change;
    this.revisions.push({ ...revision, ...(date === undefined ? {} : { date }) });
  }

  #append(text: string): void {
    this.#characters += text.length;
    if (this.#characters > maxCharacters) throw tooMuch();
    for (const change of this.#changes) change.text += text;
    const unwanted = this.#context.revisions === "accepted" ? "deletion" : "insertion";
    if (this.#changes.some(({ kind }) => kind === unwanted)) return;
    if (this.commented.size > maxParts) throw tooMuch();
    for (const id of this.#openComments) this.commented.set(id, (this.commented.get(id) ?? "") + text);
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    if (++this.#parts > maxParts) throw tooMuch();
    if (paragraph.runsOn) this.#carried = paragraph.text;
    else this.#place(this.#finish(paragraph));
  }

  #closeTable(): void {
    const table = this.#tables.pop();
    if (table === undefined || table.rows.length === 0) return;
    const around = this.#tables.at(-1);
    // A table within a cell is part of the cell's text.
    if (around !== undefined) around.cell.push(...table.rows.map((row) => row.join("\t")));
    else this.blocks.push({ kind: "table", rows: table.rows });
  }

  #place(paragraph: DocumentParagraph): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.cell.push(paragraph.text);
    else this.blocks.push(paragraph);
  }

  #finish(paragraph: OpenParagraph): DocumentParagraph {
    const style = this.#context.styles.get(paragraph.style ?? "");
    const level = paragraph.outline === undefined ? style?.headingLevel : paragraph.outline + 1;
    const id = paragraph.numberingId ?? style?.numbering?.id;
    const at = paragraph.numberingLevel ?? style?.numbering?.level ?? 0;
    const kind = this.#context.numbering.get(`${id}/${at}`);
    return {
      kind: "paragraph",
      text: paragraph.text,
      ...(paragraph.style === undefined ? {} : { style: style?.name ?? paragraph.style }),
      ...(level !== undefined && level >= 1 && level <= 9 ? { headingLevel: level } : {}),
      ...(id === undefined || id === "0" || kind === undefined ? {} : { list: { kind, level: at } }),
    };
  }
}

function tooMuch(): PackageProblem {
  return new PackageProblem("it holds too much text");
}

const emptyParagraph: OpenParagraph = {
  text: "",
  style: undefined,
  outline: undefined,
  numberingId: undefined,
  numberingLevel: undefined,
  runsOn: false,
};

/** Whether a change within this element marks a property, not text. */
function isMark(parent: string | undefined): boolean {
  return parent === "rPr" || parent === "trPr" || parent === "numPr" || parent === "tcPr";
}
