import { incompleteBeta } from "./incomplete-beta.ts";

/**
 * Exact McNemar test (Psychometrika 12, 1947) of two contestants on the same binary tasks: the two-sided binomial
 * p-value that the tasks only one of them passed are split evenly.
 * @param onlyFirst tasks the first passed and the second did not.
 * @param onlySecond the other way round.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  if (!Number.isInteger(onlyFirst) || !Number.isInteger(onlySecond) || onlyFirst < 0 || onlySecond < 0) {
    throw new RangeError(`no such counts: ${onlyFirst} and ${onlySecond}`);
  }
  const fewer = Math.min(onlyFirst, onlySecond);
  const discordant = onlyFirst + onlySecond;
  if (fewer * 2 === discordant) return 1;
  // P(X <= fewer) of Binomial(discordant, 1/2) as an incomplete beta function (DLMF 8.17.5).
  return Math.min(1, 2 * incompleteBeta(0.5, discordant - fewer, fewer + 1));
}
