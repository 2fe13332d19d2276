import type { CalledVariant } from "./genome/variant.ts";

/** The hidden reference, `truth.json`. */
export interface Truth {
  /** Normalised, within the callable regions, in order of contig and position. */
  readonly variants: readonly CalledVariant[];
  readonly readPairs: number;
  /** Share of read pairs that copy another one. */
  readonly duplicateFraction: number;
  /** Mean number of reads over a callable base, duplicates left out. */
  readonly meanDepth: number;
}
