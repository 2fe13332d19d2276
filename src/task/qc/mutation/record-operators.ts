import type { Random } from "../../../contract/random.ts";
import { changeNumber } from "./change-value.ts";
import { type MutationOperator, overText } from "./operator.ts";

/** A number by itself, or behind the letter that names it as in `X-3Y5`; not part of a word or of a unique id. */
const number = /(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-])|(?<=[XYC,])-?\d+(?:\.\d+)?(?=[XYD*\s]|$)/g;

/**
 * For texts of one record a line of which only some lines mean anything: such a line dropped, or one of its numbers moved.
 * @param record lines that are content; all others (comments, attributes, settings of the editor) are left alone.
 */
function recordOperators(record: RegExp): readonly MutationOperator[] {
  const change = (
    what: string,
    edit: (line: string, random: Random) => string | undefined,
  ): MutationOperator =>
    overText((text, random) => {
      const lines = text.split("\n");
      const content = lines.flatMap((line, index) => (record.test(line) ? [index] : []));
      if (content.length === 0) return undefined;
      const index = random.pick(content);
      const edited = edit(lines[index] as string, random);
      if (edited === undefined) return undefined;
      return { what: `line ${index + 1} ${what}`, text: lines.with(index, edited).join("\n") };
    });
  return [
    change("dropped", () => ""),
    change("with a number moved", (line, random) => {
      const found = [...line.matchAll(number)];
      if (found.length === 0) return undefined;
      const match = random.pick(found);
      return (
        line.slice(0, match.index) +
        changeNumber(match[0], random) +
        line.slice(match.index + match[0].length)
      );
    }),
  ];
}

/** For Gerber files: places and apertures. */
export const gerberOperators: readonly MutationOperator[] = recordOperators(/^X.*Y.*D0[123]\*|^%ADD/);

/** For Excellon drill files: holes and tools. */
export const drillOperators: readonly MutationOperator[] = recordOperators(/^X.*Y|^T\d+C/);

/** For boards of KiCad: tracks, vias, pads and the outline. */
export const boardOperators: readonly MutationOperator[] = recordOperators(
  /^\s*\((?:segment|via|pad|gr_line|gr_rect) .*\)\s*$/,
);
