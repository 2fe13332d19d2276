import type { Random } from "../../../contract/random.ts";

/** A small wrong made on purpose in one output. */
export interface Mutant {
  /** What was changed, in a few words: `row 3 dropped`. */
  readonly what: string;
  readonly bytes: Uint8Array;
}

/** Makes one random change, or `undefined` where there is nothing of its kind to change. Pure but for `random`. */
export type MutationOperator = (bytes: Uint8Array, random: Random) => Mutant | undefined;

/** A text operator as one over UTF-8 bytes. */
export function overText(
  change: (text: string, random: Random) => { readonly what: string; readonly text: string } | undefined,
): MutationOperator {
  return (bytes, random) => {
    const changed = change(new TextDecoder().decode(bytes), random);
    return changed && { what: changed.what, bytes: new TextEncoder().encode(changed.text) };
  };
}
