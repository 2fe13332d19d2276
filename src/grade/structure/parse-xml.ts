import type { JsonValue } from "../../contract/json-value.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import type { StructureLimits } from "./structure-limits.ts";
import { declaredPrefix, type NamespaceMode, type NamespaceScope, resolveName } from "./xml-names.ts";

export interface XmlOptions extends StructureLimits {
  /** `ignore` (default): prefixes and namespace declarations do not matter. `resolve`: names are `{uri}local`. */
  readonly namespaces?: NamespaceMode;
}

type XmlNode = Record<string, JsonValue | JsonValue[]>;

interface OpenElement {
  readonly tag: string;
  readonly node: XmlNode;
  readonly scope: NamespaceScope;
  text: string;
}

class XmlProblem extends Error {}

/**
 * An XML document of an agent as a plain value: `{root: element}`, where an element is an object with each
 * attribute as `@name`, its own text (trimmed; left out when blank) as `#text`, and each child name with the *list*
 * of the children of that name, even of one. So the order of attributes, and that between children of different
 * names, does not matter. Comments and processing instructions are dropped.
 *
 * No entity is ever fetched or defined: only the five of XML and numeric ones are understood, and a DOCTYPE with
 * an internal subset makes the document bad, as do nesting and size beyond the limits, and what is not well-formed.
 */
export function parseXml(text: string, name: string, options: XmlOptions = {}): Read<JsonValue> {
  try {
    return ok(new XmlReader(text, options).read());
  } catch (error) {
    if (error instanceof XmlProblem) return bad(`${name} cannot be read as XML: ${error.message}.`);
    throw error;
  }
}

class XmlReader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #maxNodes: number;
  readonly #mode: NamespaceMode;
  readonly #open: OpenElement[] = [];
  readonly #root: XmlNode = Object.create(null) as XmlNode;
  #rootSeen = false;
  #nodes = 0;
  #at = 0;

  constructor(text: string, options: XmlOptions) {
    this.#text = text;
    this.#maxDepth = options.maxDepth ?? 100;
    this.#maxNodes = options.maxNodes ?? 1_000_000;
    this.#mode = options.namespaces ?? "ignore";
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  read(): JsonValue {
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] !== "<") this.#characters();
      else if (this.#text.startsWith("<!--", this.#at)) this.#skipTo("-->", 4);
      else if (this.#text.startsWith("<![CDATA[", this.#at)) this.#verbatim();
      else if (this.#text.startsWith("<?", this.#at)) this.#skipTo("?>", 2);
      else if (this.#text.startsWith("<!DOCTYPE", this.#at)) this.#documentType();
      else if (this.#text.startsWith("</", this.#at)) this.#closingTag();
      else this.#openingTag();
    }
    const left = this.#open.at(-1);
    if (left !== undefined) throw this.#problem(`${quote(left.tag, 40)} is not closed`);
    if (!this.#rootSeen) throw this.#problem("there is no element");
    return this.#root;
  }

  #characters(): void {
    const end = this.#text.indexOf("<", this.#at);
    const raw = this.#text.slice(this.#at, end < 0 ? undefined : end);
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += this.#decode(raw);
    else if (raw.trim() !== "") throw this.#problem("text stands outside the root element");
    this.#at += raw.length;
  }

  #verbatim(): void {
    const element = this.#open.at(-1);
    if (element === undefined) throw this.#problem("CDATA stands outside the root element");
    const from = this.#at + 9;
    this.#skipTo("]]>", 9);
    element.text += this.#text.slice(from, this.#at - 3);
  }

  #documentType(): void {
    if (this.#rootSeen) throw this.#problem("a DOCTYPE stands after the root element");
    const from = this.#at;
    this.#skipTo(">", 9);
    if (this.#text.slice(from, this.#at).includes("["))
      throw this.#problem("its DOCTYPE declares entities or rules");
  }

  #closingTag(): void {
    this.#at += 2;
    const tag = this.#name();
    this.#blanks();
    this.#expect(">");
    const element = this.#open.pop();
    if (element?.tag !== tag) throw this.#problem(`a closing ${quote(tag, 40)} matches no opening tag`);
    const text = element.text.trim();
    if (text !== "") element.node["#text"] = text;
  }

  #openingTag(): void {
    this.#expect("<");
    const tag = this.#name();
    const attributes = this.#attributes();
    const declared = new Map<string, string>();
    for (const [name, value] of attributes) {
      const prefix = declaredPrefix(name);
      if (prefix !== undefined) declared.set(prefix, value);
    }
    const parent = this.#open.at(-1);
    const scope: NamespaceScope = { declared, parent: parent?.scope };
    const node = Object.create(null) as XmlNode;
    for (const [name, value] of attributes) {
      if (declaredPrefix(name) !== undefined) continue;
      const key = `@${this.#resolve(name, "attribute", scope)}`;
      if (key in node) throw this.#problem(`attribute ${quote(name, 40)} stands twice`);
      node[key] = value;
    }
    this.#attach(this.#resolve(tag, "element", scope), node, parent);
    if (this.#text.startsWith("/>", this.#at)) this.#at += 2;
    else {
      this.#expect(">");
      this.#open.push({ tag, node, scope, text: "" });
      if (this.#open.length > this.#maxDepth)
        throw this.#problem(`it is nested deeper than ${this.#maxDepth} levels`);
    }
  }

  #attach(name: string, node: XmlNode, parent: OpenElement | undefined): void {
    this.#count();
    if (parent === undefined) {
      if (this.#rootSeen) throw this.#problem("there is more than one root element");
      this.#rootSeen = true;
      this.#root[name] = node as JsonValue;
      return;
    }
    const siblings = parent.node[name];
    if (Array.isArray(siblings)) siblings.push(node as JsonValue);
    else parent.node[name] = [node as JsonValue];
  }

  #attributes(): [name: string, value: string][] {
    const result: [string, string][] = [];
    const seen = new Set<string>();
    for (;;) {
      const blank = this.#blanks();
      const next = this.#text[this.#at];
      if (next === undefined || next === ">" || next === "/") return result;
      if (!blank) throw this.#problem("a blank is missing before an attribute");
      const name = this.#name();
      this.#blanks();
      this.#expect("=");
      this.#blanks();
      const mark = this.#text[this.#at];
      const end = mark === '"' || mark === "'" ? this.#text.indexOf(mark, this.#at + 1) : -1;
      if (end < 0) throw this.#problem(`attribute ${quote(name, 40)} has no quoted value`);
      const raw = this.#text.slice(this.#at + 1, end);
      if (raw.includes("<")) throw this.#problem(`attribute ${quote(name, 40)} holds a <`);
      if (seen.has(name)) throw this.#problem(`attribute ${quote(name, 40)} stands twice`);
      seen.add(name);
      this.#count();
      result.push([name, this.#decode(raw)]);
      this.#at = end + 1;
    }
  }

  #resolve(name: string, kind: "element" | "attribute", scope: NamespaceScope): string {
    const resolved = resolveName(name, kind, scope, this.#mode);
    if (resolved === undefined) throw this.#problem(`the prefix of ${quote(name, 40)} is not declared`);
    return resolved;
  }

  #decode(raw: string): string {
    if (!raw.includes("&")) return raw;
    return raw.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
      const character = whole.endsWith(";") ? entity(name) : undefined;
      if (character === undefined) throw this.#problem(`it uses the unknown entity ${quote(whole, 20)}`);
      return character;
    });
  }

  #name(): string {
    const pattern = /[\p{L}_:][\p{L}\p{M}\p{N}._:\u00b7-]*/uy;
    pattern.lastIndex = this.#at;
    const name = pattern.exec(this.#text)?.[0];
    if (name === undefined) throw this.#problem("a name is missing");
    this.#at += name.length;
    return name;
  }

  #blanks(): boolean {
    const from = this.#at;
    while (/\s/.test(this.#text[this.#at] ?? "x")) this.#at++;
    return this.#at > from;
  }

  #expect(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) throw this.#problem(`a ${sign} is missing`);
    this.#at += sign.length;
  }

  #skipTo(mark: string, opening: number): void {
    const end = this.#text.indexOf(mark, this.#at + opening);
    if (end < 0) throw this.#problem(`a ${mark} is missing`);
    this.#at = end + mark.length;
  }

  #count(): void {
    if (++this.#nodes > this.#maxNodes) throw this.#problem(`it holds more than ${this.#maxNodes} values`);
  }

  #problem(what: string): XmlProblem {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    return new XmlProblem(`${what} (line ${line})`);
  }
}

function entity(name: string): string | undefined {
  const code = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (code !== null) {
    const point = code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16);
    const allowed = point === 9 || point === 10 || point === 13 || (point >= 32 && point <= 0x10ffff);
    return allowed && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : undefined;
  }
  switch (name) {
    case "amp":
      return "&";
    case "lt":
      return "<";
    case "gt":
      return ">";
    case "quot":
      return '"';
    case "apos":
      return "'";
    default:
      return undefined;
  }
}
