import { AleError } from "../../contract/ale-error.ts";
import { linearScore } from "../number/linear-score.ts";
import type { Outcome } from "../outcome.ts";
import { boundedEditDistance } from "../sequence/edit-distance.ts";
import { normaliseText, type TextNormalisation } from "./normalise-text.ts";
import { tooLong } from "./text-limit.ts";

export interface EditSimilarityOptions {
  /** What is counted: code points (default), or words parted by white space. */
  readonly unit?: "character" | "word";
  /** Similarity from which the score is 1; default 1. */
  readonly fullAt?: number;
  /** Similarity at and below which the score is 0; default 0. Linear between. */
  readonly zeroAt?: number;
  /** Applied to both texts first; default none. */
  readonly normalise?: TextNormalisation;
}

const maxUnits = 20_000;

/**
 * Similarity = 1 − Levenshtein distance / units of the longer text (1 for two empty texts), put on a scale from
 * `zeroAt` to `fullAt`. Symmetric in the texts but for length: an expected text over 20,000 units is an `AleError` coded
 * `reference-too-long`, an artifact over 40,000 scores 0.
 */
export function editSimilarity(
  actual: string,
  expected: string,
  options: EditSimilarityOptions = {},
): Outcome {
  const long = tooLong(actual);
  if (long !== undefined) return long;
  const { fullAt = 1, zeroAt = 0, unit = "character" } = options;
  const found = unitsOf(actual, unit, options.normalise);
  const wanted = unitsOf(expected, unit, options.normalise);
  if (wanted.length > maxUnits) {
    throw new AleError({
      code: "reference-too-long",
      message: `The expected text has ${wanted.length} ${unit}s; edit similarity takes at most ${maxUnits}.`,
      remedy: "Compare by words or by lines instead.",
    });
  }
  const longest = Math.max(found.length, wanted.length);
  // No distance beyond this scores anything, so it need not be known.
  const limit = Math.ceil((1 - zeroAt) * longest);
  if (found.length > 2 * maxUnits) {
    return {
      score: 0,
      message: `The text has ${found.length} ${unit}s; at most ${2 * maxUnits} are compared.`,
    };
  }
  const distance = boundedEditDistance(found, wanted, limit);
  if (distance === undefined) {
    return { score: 0, message: `The text is less than ${zeroAt} similar to the expected.` };
  }
  const similarity = longest === 0 ? 1 : 1 - distance / longest;
  return {
    score: distance === 0 ? 1 : linearScore(similarity, zeroAt, fullAt),
    message: `${distance} ${unit} edits from the expected text of ${wanted.length} ${unit}s.`,
    evidence: { distance, similarity },
  };
}

function unitsOf(
  text: string,
  unit: "character" | "word",
  normalise: TextNormalisation | undefined,
): string[] {
  const plain = normalise === undefined ? text : normaliseText(text, normalise);
  if (unit === "character") return Array.from(plain);
  return plain.split(/\s+/u).filter((word) => word !== "");
}
