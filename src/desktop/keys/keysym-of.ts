import { readFileSync } from "node:fs";
import { AleError } from "../../contract/ale-error.ts";

interface KeyNames {
  /** X keysym names. */
  readonly keysyms: Readonly<Record<string, number>>;
  /** Other names in lower case, to names among the keysyms. */
  readonly aliases: Readonly<Record<string, string>>;
}

let known: ReadonlyMap<string, number> | undefined;

/** Characters of Latin-1 are their own keysyms; those of the rest of Unicode stand from here on. */
const unicodeBase = 0x0100_0000;

/**
 * The X keysym of a key's name: `Return`, `ctrl`, `F5`, a single character such as `a` or `é`. Case and the usual other
 * names are forgiven. Throws `screen-key` for any other.
 */
export function keysymOf(key: string): number {
  const [first = "", ...rest] = key;
  if (first !== "" && rest.length === 0) return keysymOfCharacter(first);
  const found = knownNames().get(key) ?? knownNames().get(key.toLowerCase());
  if (found !== undefined) return found;
  throw new AleError({
    code: "screen-key",
    message: `There is no key called ${JSON.stringify(key)}.`,
    remedy: "Use a single character or a name such as Return, Tab, ctrl, shift, alt, Left, Page_Down, F5.",
    fields: { key },
  });
}

/** The keysym that gives a character when pressed. Line feeds are Return, tabulators Tab. */
export function keysymOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n" || character === "\r") return keysymOf("Return");
  if (character === "\t") return keysymOf("Tab");
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
    throw new AleError({
      code: "screen-key",
      message: `The control character U+${code.toString(16).padStart(4, "0").toUpperCase()} is on no key.`,
    });
  }
  return code <= 0xff ? code : unicodeBase + code;
}

/** The keysyms of a text, in order; a carriage return before a line feed is dropped. */
export function keysymsOfText(text: string): readonly number[] {
  return [...text.replaceAll("\r\n", "\n")].map(keysymOfCharacter);
}

/** Names as they are and in lower case, which no two keys share. */
function knownNames(): ReadonlyMap<string, number> {
  if (known !== undefined) return known;
  const text = readFileSync(new URL("../../../data/key-names.json", import.meta.url), "utf8");
  const { keysyms, aliases } = JSON.parse(text) as KeyNames;
  const names = Object.entries(keysyms);
  known = new Map([
    ...names.map(([name, keysym]) => [name.toLowerCase(), keysym] as const),
    ...names,
    ...Object.entries(aliases).map(([alias, name]) => [alias, keysyms[name] ?? 0] as const),
  ]);
  return known;
}
