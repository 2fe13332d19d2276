/** What differences between two texts mean nothing. */
export interface TextNormalisation {
  /** Unicode form, default `NFKC`: full-width letters, ligatures and compatibility signs are their plain selves. */
  readonly unicode?: "NFC" | "NFKC" | "keep";
  /**
   * `collapse` (default): every run of white space is one blank, none at the ends. `lines`: line ends are `\n`,
   * blanks at line ends and empty lines at the text's ends are dropped. `keep`: only line ends become `\n`.
   */
  readonly whitespace?: "collapse" | "lines" | "keep";
  /** `fold`: upper and lower case are the same, without regard to any language. Default `keep`. */
  readonly letterCase?: "fold" | "keep";
  /** `drop`: Unicode punctuation is removed before white space is treated. Default `keep`. */
  readonly punctuation?: "drop" | "keep";
}

/** The text in its normal form. Idempotent; time linear in the text's length. */
export function normaliseText(text: string, options: TextNormalisation = {}): string {
  const { unicode = "NFKC", whitespace = "collapse", letterCase = "keep", punctuation = "keep" } = options;
  let result = unicode === "keep" ? text : text.normalize(unicode);
  if (letterCase === "fold") {
    // Through upper case first, so that ß and SS, or the two small sigmas, meet.
    result = result.toUpperCase().toLowerCase();
    if (unicode !== "keep") result = result.normalize(unicode);
  }
  if (punctuation === "drop") result = result.replace(/\p{P}/gu, "");
  if (whitespace === "collapse") return result.replace(/\s+/gu, " ").trim();
  const lines = result.split(/\r\n|\n|\r/u);
  if (whitespace === "keep") return lines.join("\n");
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== "");
  const last = trimmed.findLastIndex((line) => line !== "");
  return first < 0 ? "" : trimmed.slice(first, last + 1).join("\n");
}
