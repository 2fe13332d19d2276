/** What is wrong with a package or its XML. Thrown by the readers, and always caught at their edge as a bad read. */
export class PackageProblem extends Error {}

/** Attributes by local name. */
export type XmlAttributes = ReadonlyMap<string, string>;

/** Told of elements by local name, in document order. Text may come in several pieces. */
export interface XmlHandler {
  readonly open: (name: string, attributes: XmlAttributes) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

const maxDepth = 256;
const maxTagCharacters = 1_000_000;
const maxAttributes = 10_000;

/**
 * Reads well-formed XML given in pieces, in memory that does not grow with it. Namespaces are dropped: the parts
 * of office packages are told apart by their place. No entity is ever defined or fetched; a DOCTYPE is refused.
 * Throws a `PackageProblem` for what is not well-formed.
 */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #rest = "";

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    while (at < text.length) {
      const next = text[at] === "<" ? this.#markup(text, at) : this.#characters(text, at);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > maxTagCharacters) throw new PackageProblem("its XML holds an endless tag");
  }

  end(): void {
    if (this.#rest.trim() !== "" || this.#open.length > 0) throw new PackageProblem("its XML is cut off");
  }

  #characters(text: string, at: number): number | undefined {
    const tag = text.indexOf("<", at);
    // An entity may be cut in two by the end of the piece.
    const entity = tag < 0 ? text.indexOf("&", Math.max(at, text.length - 12)) : -1;
    const end = tag >= 0 ? tag : entity >= 0 ? entity : text.length;
    if (end === at) return undefined;
    if (this.#open.length > 0) this.#handler.text(decodeEntities(text.slice(at, end)));
    return end;
  }

  #markup(text: string, at: number): number | undefined {
    const [close, skip] = text.startsWith("<!--", at)
      ? ["-->", 4]
      : text.startsWith("<![CDATA[", at)
        ? ["]]>", 9]
        : text.startsWith("<?", at)
          ? ["?>", 2]
          : [">", 1];
    if (close === ">" && text.length - at < 9 && "<![CDATA[".startsWith(text.slice(at, at + 9)))
      return undefined;
    if (close === ">" && text.startsWith("<!", at)) {
      if (text.length - at < 4 && !text.includes(">", at)) return undefined;
      throw new PackageProblem("its XML has a DOCTYPE");
    }
    const end = close === ">" ? tagEnd(text, at) : text.indexOf(close, at + skip);
    if (end < 0) return undefined;
    if (close === "]]>") this.#handler.text(text.slice(at + skip, end));
    else if (close === ">") this.#tag(text.slice(at + 1, end));
    return end + close.length;
  }

  #tag(tag: string): void {
    if (tag.startsWith("/")) {
      const name = tag.slice(1).trim();
      if (this.#open.pop() !== name) throw new PackageProblem("its XML closes what it did not open");
      this.#handler.close(localName(name));
      return;
    }
    const empty = tag.endsWith("/");
    const body = empty ? tag.slice(0, -1) : tag;
    const name = /^[^\s/=<"']+/.exec(body)?.[0];
    if (name === undefined) throw new PackageProblem("its XML has a tag without a name");
    const local = localName(name);
    if (this.#open.length >= maxDepth) throw new PackageProblem("its XML is nested too deep");
    this.#open.push(name);
    this.#handler.open(local, attributesOf(body.slice(name.length)));
    if (!empty) return;
    this.#open.pop();
    this.#handler.close(local);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The index of the `>` that ends a tag, which may also stand in an attribute's value. */
function tagEnd(text: string, at: number): number {
  const end = text.indexOf(">", at);
  if (end < 0) return -1;
  const cut = text.slice(at, end);
  if (!cut.includes('"') && !cut.includes("'")) return end;
  for (let index = at; index < text.length; index++) {
    const sign = text[index];
    if (sign === ">") return index;
    if (sign !== '"' && sign !== "'") continue;
    index = text.indexOf(sign, index + 1);
    if (index < 0) return -1;
  }
  return -1;
}

const noAttributes: XmlAttributes = new Map();

function attributesOf(body: string): XmlAttributes {
  if (body.trim() === "") return noAttributes;
  const attributes = new Map<string, string>();
  // Sticky, so that every step moves on: a search would be quadratic in a tag without an equals sign.
  const pattern = /\s*([^\s="'<]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  const end = body.trimEnd().length;
  for (let at = 0; at < end; at = pattern.lastIndex) {
    const match = pattern.exec(body);
    if (match === null) throw new PackageProblem("its XML has a malformed attribute");
    if (attributes.size > maxAttributes) throw new PackageProblem("its XML has too many attributes");
    const name = match[1] ?? "";
    // LibreOffice repeats office attributes in a namespace of its own, with other values.
    if (name.startsWith("xmlns") || name.startsWith("calcext:")) continue;
    const local = localName(name);
    if (!attributes.has(local)) attributes.set(local, decodeEntities(match[2] ?? match[3] ?? ""));
  }
  return attributes;
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    const character = named[name] ?? numeric(name);
    if (character === undefined || !whole.endsWith(";"))
      throw new PackageProblem("its XML uses an unknown entity");
    return character;
  });
}

function numeric(name: string): string | undefined {
  const code = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (code === null) return undefined;
  const point = code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16);
  const surrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0 && point <= 0x10ffff && !surrogate ? String.fromCodePoint(point) : undefined;
}
