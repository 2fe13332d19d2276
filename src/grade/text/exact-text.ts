import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";

/** 1 when the texts are equal, character for character, line ends included; else 0. */
export function exactText(actual: string, expected: string): Outcome {
  if (actual === expected) return { score: 1, message: "The text is as expected." };
  let at = 0;
  while (at < actual.length && at < expected.length && actual[at] === expected[at]) at++;
  const before = actual.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return {
    score: 0,
    message: `The text differs from the expected from line ${line}, column ${column} on.`,
    evidence: {
      line,
      column,
      expected: quote(expected.slice(at, at + 60)),
      found: quote(actual.slice(at, at + 60)),
    },
  };
}
