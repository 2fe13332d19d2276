import type { Random } from "ale/contract/random";

/** What is sequenced, and how well. */
export interface SequencingRun {
  /** Mean depth over the genome before duplicates are added. */
  readonly depth: number;
  readonly readLength: number;
  /** Share of fragments that were amplified into further read pairs. */
  readonly duplicates: number;
  /** Fragments amplified a dozen times with one early polymerase error in all the copies. */
  readonly jackpots: number;
  /** Multiplies the share of low-quality bases. */
  readonly noise: number;
}

/** One lane's FASTQ texts, in step. */
export interface Lane {
  readonly lane: number;
  readonly first: Buffer;
  readonly second: Buffer;
}

/** Two haplotypes of one contig, as bytes. */
export interface DiploidContig {
  readonly haplotypes: readonly [Buffer, Buffer];
}

/** A piece of one haplotype, read from both ends. */
export interface Fragment {
  readonly contig: number;
  readonly haplotype: 0 | 1;
  readonly start: number;
  readonly length: number;
  readonly reverse: boolean;
  /** Offset within the fragment of a polymerase error. */
  readonly error?: number;
}

const adapters = [
  Buffer.from("AGATCGGAAGAGCACACGTCTGAACTCCAGTCACATCACGATCTCGTATGCCGTCTTCTGCTTGAAAAAAAAAAAAAAAAAAAAAAAA"),
  Buffer.from("AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGTAGATCTCGGTGGTCGCCGTATCATTAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
] as const;
/** Phred qualities as a recent instrument bins them, with their share at the start and at the end of a read. */
const bins = [
  { quality: 37, early: 0.965, late: 0.84 },
  { quality: 23, early: 0.025, late: 0.1 },
  { quality: 12, early: 0.008, late: 0.045 },
  { quality: 2, early: 0.002, late: 0.015 },
] as const;

const letters = Buffer.from("ACGT");
const complement = Buffer.alloc(256, 0x4e);
for (const [from, to] of ["AT", "TA", "CG", "GC"]) {
  complement[(from as string).charCodeAt(0)] = (to as string).charCodeAt(0);
}

/** Reads of the whole sample over two lanes: fragments in random order, duplicates among them. */
export function simulateReads(
  random: Random,
  sample: readonly DiploidContig[],
  run: SequencingRun,
): { readonly lanes: readonly Lane[]; readonly pairs: number; readonly distinct: readonly Fragment[] } {
  const drawn = drawFragments(random.fork("fragments"), sample, run);
  const jackpots = drawJackpots(random.fork("jackpots"), sample, run);
  const distinct = [...drawn, ...jackpots];
  const copies = amplify(random.fork("copies"), drawn, jackpots, run);
  const all = random.fork("order").shuffle([...distinct, ...copies]);
  const half = Math.ceil(all.length / 2);
  const sequencer = new Sequencer(random.fork("bases"), sample, run);
  const lanes = [all.slice(0, half), all.slice(half)].map((fragments, index) =>
    sequencer.sequence(fragments, index + 1),
  );
  return { lanes, pairs: all.length, distinct };
}

function drawFragments(random: Random, sample: readonly DiploidContig[], run: SequencingRun): Fragment[] {
  const fragments: Fragment[] = [];
  for (const [contig, { haplotypes }] of sample.entries()) {
    for (const haplotype of [0, 1] as const) {
      const { length: size } = haplotypes[haplotype];
      const count = Math.round((size * run.depth) / 2 / (2 * run.readLength));
      for (let index = 0; index < count; index++) {
        const short = random.next() < 0.03;
        const length = short
          ? random.integer(Math.floor(run.readLength * 0.55), run.readLength)
          : Math.max(run.readLength + 1, Math.round(random.normal(330, 55)));
        const start = random.integer(0, size - length);
        fragments.push({ contig, haplotype, start, length, reverse: random.next() < 0.5 });
      }
    }
  }
  return fragments;
}

function drawJackpots(random: Random, sample: readonly DiploidContig[], run: SequencingRun): Fragment[] {
  return Array.from({ length: run.jackpots }, (_unused, index) => {
    const contig = index % sample.length;
    const haplotype = random.pick([0, 1] as const);
    const size = sample[contig]?.haplotypes[haplotype].length ?? 0;
    const start = random.integer(500, size - 1000);
    const error = random.integer(20, 70);
    return { contig, haplotype, start, length: 320, reverse: random.next() < 0.5, error };
  });
}

function amplify(
  random: Random,
  drawn: readonly Fragment[],
  jackpots: readonly Fragment[],
  run: SequencingRun,
): readonly Fragment[] {
  const copies: Fragment[] = [];
  const add = (fragment: Fragment, times: number): void => {
    for (let index = 0; index < times; index++) copies.push(fragment);
  };
  for (const fragment of drawn) {
    if (random.next() < run.duplicates) add(fragment, random.next() < 0.8 ? 1 : 2);
  }
  for (const fragment of jackpots) add(fragment, random.integer(12, 17));
  return copies;
}

class Sequencer {
  readonly #random: Random;
  readonly #sample: readonly DiploidContig[];
  readonly #run: SequencingRun;
  /** Cumulative shares of the bins, by cycle. */
  readonly #cumulative: readonly (readonly number[])[];

  constructor(random: Random, sample: readonly DiploidContig[], run: SequencingRun) {
    this.#random = random;
    this.#sample = sample;
    this.#run = run;
    this.#cumulative = Array.from({ length: run.readLength }, (_unused, cycle) => {
      const progress = (cycle / run.readLength) ** 2;
      let sum = 0;
      const lower = bins.slice(1).map(({ early, late }) => (early + (late - early) * progress) * run.noise);
      return lower.map((share) => {
        sum += share;
        return sum;
      });
    });
  }

  sequence(fragments: readonly Fragment[], lane: number): Lane {
    const { readLength } = this.#run;
    const record = 64 + 2 * readLength;
    const first = Buffer.alloc(fragments.length * record);
    const second = Buffer.alloc(fragments.length * record);
    const used = [0, 0];
    for (const [index, fragment] of fragments.entries()) {
      const templates = this.#templates(fragment);
      const cluster = `${1101 + (index % 78)}:${1000 + ((index * 7919) % 30000)}:${1000 + index}`;
      for (const [mate, file] of [first, second].entries()) {
        let at = used[mate] as number;
        at += file.write(`@A0421:118:SYNDSX:${lane}:${cluster} ${mate + 1}:N:0:ATCACG\n`, at, "latin1");
        at = this.#write(templates[mate] as Buffer, adapters[mate] as Buffer, file, at);
        used[mate] = at;
      }
    }
    return { lane, first: first.subarray(0, used[0]), second: second.subarray(0, used[1]) };
  }

  /** Both ends of the fragment as the two mates read them. */
  #templates({ contig, haplotype, start, length, reverse, error }: Fragment): readonly [Buffer, Buffer] {
    const sequence = this.#sample[contig]?.haplotypes[haplotype] as Buffer;
    const forward = Buffer.from(sequence.subarray(start, start + length));
    if (error !== undefined) forward[error] = complement[forward[error] as number] as number;
    const backward = Buffer.from(forward)
      .reverse()
      .map((base) => complement[base] as number);
    const other = Buffer.from(backward);
    return reverse ? [other, forward] : [forward, other];
  }

  #write(template: Buffer, adapter: Buffer, file: Buffer, from: number): number {
    const { readLength } = this.#run;
    const random = this.#random;
    const qualities = from + readLength + 3;
    for (let cycle = 0; cycle < readLength; cycle++) {
      const beyond = cycle - template.length;
      let base = (beyond < 0 ? template[cycle] : (adapter[beyond] ?? 0x41)) as number;
      let quality = this.#quality(cycle);
      if (base === 0x4e) quality = 2;
      else if (random.next() < 10 ** (-quality / 10)) base = letters[random.integer(0, 3)] as number;
      file[from + cycle] = base;
      file[qualities + cycle] = quality + 33;
    }
    file.write("\n+\n", from + readLength, "latin1");
    file[qualities + readLength] = 0x0a;
    return qualities + readLength + 1;
  }

  #quality(cycle: number): number {
    const draw = this.#random.next();
    const [good, fair, poor, bad] = bins;
    const [one, two, three] = this.#cumulative[cycle] as readonly [number, number, number];
    if (draw < one) return fair.quality;
    if (draw < two) return poor.quality;
    return draw < three ? bad.quality : good.quality;
  }
}
