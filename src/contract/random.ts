/** Random numbers as a parameter. The same seed gives the same stream on every machine. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [low, high], both included. */
  integer(low: number, high: number): number;
  /** One item, uniformly. Throws a `RangeError` on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** A new array in random order (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[];
  /** Normal deviate (Box–Muller). */
  normal(mean?: number, deviation?: number): number;
  /** An independent stream, fixed by this stream's seed and the label, not by what was drawn so far. */
  fork(label: string): Random;
}

/** FNV-1a over UTF-16 code units, 32 bits. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** SplitMix32, used only to spread a seed over the state. */
function splitMix(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

/**
 * A seeded stream: xoshiro128** (Blackman and Vigna, 2018), two outputs joined for 53 bits.
 * @param seed any number or text; texts are hashed.
 */
export function createRandom(seed: number | string): Random {
  const label = String(seed);
  const spread = splitMix(hash32(label));
  let a = spread();
  let b = spread();
  let c = spread();
  let d = spread();

  function next32(): number {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  }

  const random: Random = {
    next() {
      const high = next32() >>> 5;
      const low = next32() >>> 6;
      return (high * 67108864 + low) / 9007199254740992;
    },
    integer(low, high) {
      return low + Math.floor(random.next() * (high - low + 1));
    },
    pick(items) {
      if (items.length === 0) throw new RangeError("cannot pick from an empty list");
      return items[random.integer(0, items.length - 1)] as (typeof items)[number];
    },
    shuffle(items) {
      const result = [...items];
      for (let index = result.length - 1; index > 0; index--) {
        const other = random.integer(0, index);
        const held = result[index] as (typeof result)[number];
        result[index] = result[other] as (typeof result)[number];
        result[other] = held;
      }
      return result;
    },
    normal(mean = 0, deviation = 1) {
      const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
      return mean + deviation * radius * Math.cos(2 * Math.PI * random.next());
    },
    fork(name) {
      return createRandom(`${label}/${name}`);
    },
  };
  return random;
}
