import type { Random } from "ale/contract/random";
import type { Interval } from "../genome/intervals.ts";

/** A contig and where its sequence is too repetitive for short reads. */
export interface MadeContig {
  readonly name: string;
  /** Upper case. */
  readonly sequence: string;
  readonly hard: readonly (Interval & { readonly why: string })[];
  /** Short repeats that stay callable: shown in lower case, as repeat maskers do. */
  readonly masked: readonly Interval[];
}

const bases = ["A", "C", "G", "T"] as const;

/** Sequence with drifting GC content, short repeats, long homopolymers, low-complexity tracts and a duplicated segment. */
export function makeReference(random: Random, lengths: readonly number[]): readonly MadeContig[] {
  return lengths.map((length, index) =>
    makeContig(random.fork(`contig/${index}`), `syn${index + 1}`, length),
  );
}

function makeContig(random: Random, name: string, length: number): MadeContig {
  let sequence = "";
  let gc = 0.45;
  const hard: (Interval & { why: string })[] = [];
  const masked: Interval[] = [];
  const put = (text: string): Interval => {
    const start = sequence.length;
    sequence += text;
    return { start, end: sequence.length };
  };
  const duplicateAt = Math.floor(length * 0.7);
  let duplicated = false;
  let gap = false;
  while (sequence.length < length) {
    gc = Math.min(0.6, Math.max(0.35, gc + random.normal(0, 0.02)));
    put(randomBases(random, random.integer(250, 900), gc));
    const kind = random.next();
    if (kind < 0.45) masked.push(put(random.pick(bases).repeat(random.integer(5, 8))));
    else if (kind < 0.65)
      masked.push(put(repeatUnit(random, random.integer(2, 3)).repeat(random.integer(4, 6))));
    else if (kind < 0.73)
      hard.push({ ...put(random.pick(bases).repeat(random.integer(16, 28))), why: "homopolymer" });
    else if (kind < 0.8)
      hard.push({
        ...put(repeatUnit(random, random.integer(2, 5)).repeat(random.integer(18, 40))),
        why: "low_complexity",
      });
    if (!gap && sequence.length > length * 0.45) {
      gap = true;
      hard.push({ ...put("N".repeat(random.integer(120, 300))), why: "gap" });
    }
    if (!duplicated && sequence.length > duplicateAt) {
      duplicated = true;
      const size = random.integer(1800, 2600);
      const from = random.integer(2000, Math.floor(length * 0.3));
      const copy = [...sequence.slice(from, from + size)].map((base) =>
        base !== "N" && random.next() < 0.012 ? random.pick(bases) : base,
      );
      hard.push({ start: from, end: from + size, why: "segmental_duplication" });
      hard.push({ ...put(copy.join("")), why: "segmental_duplication" });
    }
  }
  return { name, sequence: sequence.slice(0, length), hard, masked };
}

function randomBases(random: Random, length: number, gc: number): string {
  let text = "";
  for (let index = 0; index < length; index++) {
    const strong = random.next() < gc;
    const first = random.next() < 0.5;
    text += strong ? (first ? "G" : "C") : first ? "A" : "T";
  }
  return text;
}

function repeatUnit(random: Random, length: number): string {
  for (;;) {
    const unit = Array.from({ length }, () => random.pick(bases)).join("");
    if (new Set(unit).size > 1) return unit;
  }
}

/** FASTA of 60 bases a line, the masked intervals in lower case. */
export function toFasta(contigs: readonly MadeContig[]): string {
  return contigs
    .map(({ name, sequence, hard, masked }) => {
      const letters = [...sequence];
      for (const { start, end } of [...masked, ...hard]) {
        for (let index = start; index < Math.min(end, letters.length); index++) {
          letters[index] = (letters[index] as string).toLowerCase().replace("n", "N");
        }
      }
      const lines = letters.join("").match(/.{1,60}/g) ?? [];
      return `>${name} synthetic assembly, ${sequence.length} bp\n${lines.join("\n")}\n`;
    })
    .join("");
}
