import type { Random } from "../../../contract/random.ts";
import { changeNumber, changeValue } from "./change-value.ts";
import { type MutationOperator, overText } from "./operator.ts";

/** Something that shows: the first group is what is changed of it, where only a part is. */
interface Shown {
  readonly what: string;
  readonly pattern: RegExp;
  change(value: string, random: Random): string;
}

const shown: readonly Shown[] = [
  {
    what: "object dropped",
    pattern: /<(?:path|rect|circle|ellipse|polygon|polyline|line)\b[^<>]*\/>/g,
    change: () => "",
  },
  {
    what: "measure moved",
    pattern:
      /<(?!svg\b|sodipodi:|inkscape:)[a-zA-Z]+\b[^<>]*?\s(?:x|y|cx|cy|r|rx|ry|width|height)="(-?[\d.]+)"/g,
    change: changeNumber,
  },
  { what: "size of letters moved", pattern: /font-size:([\d.]+)px/g, change: changeNumber },
  {
    what: "colour changed",
    pattern: /\bfill(?::|=")#([0-9a-fA-F]{6})\b/g,
    change: (value) => ((Number.parseInt(value, 16) + 0x3f7f3f) & 0xffffff).toString(16).padStart(6, "0"),
  },
  { what: "text changed", pattern: />([^<>]*[A-Za-z0-9][^<>]*)<\/(?:text|tspan)>/g, change: changeValue },
];

/** For SVG drawings: objects dropped, measures, colours and texts changed; not ids, and nothing that no one sees. */
export const svgOperators: readonly MutationOperator[] = shown.map(({ what, pattern, change }) =>
  overText((text, random) => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return undefined;
    const match = random.pick(found);
    const [whole, value = whole] = match;
    const at = match.index + whole.lastIndexOf(value);
    const line = text.slice(0, at).split("\n").length;
    return {
      what: `line ${line}: ${what}`,
      text: text.slice(0, at) + change(value, random) + text.slice(at + value.length),
    };
  }),
);
