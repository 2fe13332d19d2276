import type { Outcome } from "../outcome.ts";

/** Longest artifact text that the text graders look at, in UTF-16 code units. */
export const maxTextLength = 2_000_000;

/** The outcome of a text beyond {@link maxTextLength}, or `undefined`. */
export function tooLong(text: string): Outcome | undefined {
  if (text.length <= maxTextLength) return undefined;
  return {
    score: 0,
    message: `The text is too long: ${text.length} characters, at most ${maxTextLength} are read.`,
  };
}
