import type { Random } from "../../../contract/random.ts";
import { changeNumber, changeValue } from "./change-value.ts";
import { type MutationOperator, overText } from "./operator.ts";

interface Lines {
  readonly lines: readonly string[];
  /** Indices of lines that hold something and are no comment. */
  readonly full: readonly number[];
}

function linesOf(text: string): Lines {
  const lines = text.split("\n");
  const full = lines.flatMap((line, index) => (line.trim() === "" || line.startsWith("#") ? [] : [index]));
  return { lines, full };
}

const dropLine = overText((text, random) => {
  const { lines, full } = linesOf(text);
  if (full.length === 0) return undefined;
  const index = random.pick(full);
  return { what: `line ${index + 1} dropped`, text: lines.toSpliced(index, 1).join("\n") };
});

const repeatLine = overText((text, random) => {
  const { lines, full } = linesOf(text);
  if (full.length === 0) return undefined;
  const index = random.pick(full);
  return {
    what: `line ${index + 1} repeated`,
    text: lines.toSpliced(index, 0, lines[index] as string).join("\n"),
  };
});

const moveNumber = overText((text, random) => {
  const numbers = [...text.matchAll(/(?<![\w.])-?\d+(\.\d+)?(?![\w.])/g)];
  if (numbers.length === 0) return undefined;
  const match = random.pick(numbers);
  return replaceAt(text, match, changeNumber(match[0], random));
});

const changeWord = overText((text, random) => {
  const words = [...text.matchAll(/[A-Za-z][A-Za-z0-9_]{2,}/g)];
  if (words.length === 0) return undefined;
  const match = random.pick(words);
  return replaceAt(text, match, changeValue(match[0], random));
});

function replaceAt(
  text: string,
  match: RegExpExecArray,
  replacement: string,
): { readonly what: string; readonly text: string } {
  const line = text.slice(0, match.index).split("\n").length;
  return {
    what: `line ${line}: ${match[0]} made ${replacement}`,
    text: text.slice(0, match.index) + replacement + text.slice(match.index + match[0].length),
  };
}

/** For any text: lines dropped and repeated, numbers moved, words changed. */
export const lineOperators: readonly MutationOperator[] = [dropLine, repeatLine, moveNumber, changeWord];

/** For VCF (tab-separated records after `#` lines): records dropped and repeated, position, allele, genotype changed. */
export const variantOperators: readonly MutationOperator[] = [
  dropLine,
  repeatLine,
  overText((text, random) =>
    changeField(text, random, 1, (position) => String(Number(position) + random.integer(1, 50))),
  ),
  overText((text, random) =>
    changeField(text, random, 4, (allele) =>
      random.pick(["A", "C", "G", "T"].filter((base) => base !== allele)),
    ),
  ),
  overText((text, random) =>
    changeField(text, random, 9, (sample) => {
      const genotype = /^\d[/|]\d/.exec(sample)?.[0] ?? "";
      const other = random.pick(["0/1", "1/1", "0/0"].filter((call) => call !== genotype.replace("|", "/")));
      return other + sample.slice(genotype.length);
    }),
  ),
];

function changeField(
  text: string,
  random: Random,
  field: number,
  change: (value: string) => string,
): { readonly what: string; readonly text: string } | undefined {
  const { lines, full } = linesOf(text);
  const rows = full.filter((index) => (lines[index] as string).split("\t").length > field);
  if (rows.length === 0) return undefined;
  const index = random.pick(rows);
  const fields = (lines[index] as string).split("\t");
  const old = fields[field] as string;
  const changed = change(old);
  const line = fields.toSpliced(field, 1, changed).join("\t");
  return {
    what: `line ${index + 1}: ${old} made ${changed}`,
    text: lines.toSpliced(index, 1, line).join("\n"),
  };
}
