/** What an XML document holds, in order. Names keep their prefix. */
export type XmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const markup =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/**
 * Reads markup as a word processor writes it. It is for showing: what is not well-formed gives strange tokens, never an
 * error; entities of a document type are not expanded, and nothing outside of the text is read.
 */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (const [, data, slash, name, rest, empty, text] of xml.matchAll(markup)) {
    if (data !== undefined) yield { kind: "text", text: data };
    else if (text !== undefined) yield { kind: "text", text: decoded(text) };
    else if (name !== undefined) {
      if (slash === "/") yield { kind: "close", name };
      else {
        yield { kind: "open", name, attributes: attributesOf(rest ?? "") };
        if (empty === "/") yield { kind: "close", name };
      }
    }
  }
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(attribute))
    found[name] = decoded(double ?? single ?? "");
  return found;
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal, hexadecimal, name: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
