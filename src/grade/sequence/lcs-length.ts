/**
 * Length of the longest common subsequence of two sequences of whole numbers, by bit-parallel dynamic
 * programming: n·m/32 steps, memory O(n). Hyyrö, "Bit-parallel LCS-length computation revisited", 2004.
 * Numbers are compared as they are; map other items to numbers first ({@link lcsLength} does).
 */
function lcsOfNumbers(first: Int32Array, second: Int32Array, symbols: number): number {
  const words = Math.ceil(first.length / 32);
  const places: number[][] = Array.from({ length: symbols }, () => []);
  for (const [index, symbol] of first.entries()) places[symbol]?.push(index);
  // Masks of frequent symbols are kept; there are at most 32 that occur more often than once in a word.
  const kept = new Map<number, Uint32Array>();
  const scratch = new Uint32Array(words);
  const state = new Uint32Array(words).fill(0xffffffff);
  for (const symbol of second) {
    const where = places[symbol] ?? [];
    if (where.length === 0) continue;
    let mask = kept.get(symbol);
    const keep = where.length > words;
    if (mask === undefined) {
      mask = keep ? new Uint32Array(words) : scratch;
      for (const index of where) setBit(mask, index);
      if (keep) kept.set(symbol, mask);
    }
    step(state, mask);
    if (!keep) for (const index of where) mask[index >>> 5] = 0;
  }
  let common = 0;
  for (let index = 0; index < first.length; index++) {
    if ((((state[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 0) common++;
  }
  return common;
}

/** V ← (V + (V & M)) | (V & ~M), over words with carry. */
function step(state: Uint32Array, mask: Uint32Array): void {
  let carry = 0;
  for (let word = 0; word < state.length; word++) {
    const value = state[word] ?? 0;
    const met = mask[word] ?? 0;
    const sum = value + ((value & met) >>> 0) + carry;
    carry = sum > 0xffffffff ? 1 : 0;
    state[word] = (sum >>> 0) | (value & ~met);
  }
}

function setBit(mask: Uint32Array, index: number): void {
  mask[index >>> 5] = (mask[index >>> 5] ?? 0) | (1 << (index & 31));
}

/** Length of the longest common subsequence of two lists of strings. */
export function lcsLength(first: readonly string[], second: readonly string[]): number {
  const numbers = new Map<string, number>();
  const encode = (list: readonly string[]): Int32Array =>
    Int32Array.from(list, (item) => {
      const number = numbers.get(item) ?? numbers.size;
      numbers.set(item, number);
      return number;
    });
  const encodedFirst = encode(first);
  const encodedSecond = encode(second);
  return lcsOfNumbers(encodedFirst, encodedSecond, numbers.size);
}
