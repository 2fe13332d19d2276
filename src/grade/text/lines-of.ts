import { normaliseText, type TextNormalisation } from "./normalise-text.ts";

export interface LineOptions {
  /** Applied to each line; default: line ends do not matter, nor blanks at line ends. */
  readonly normalise?: TextNormalisation;
  /** Whether lines without any sign count; default `ignore`. */
  readonly blankLines?: "ignore" | "count";
}

/** The lines of a text, each in its normal form. A final line end makes no line of its own. */
export function linesOf(text: string, options: LineOptions = {}): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === "") lines.pop();
  const { normalise } = options;
  const normal = lines.map((line) =>
    normalise === undefined ? line.trimEnd() : normaliseText(line, normalise),
  );
  return options.blankLines === "count" ? normal : normal.filter((line) => line.trim() !== "");
}
