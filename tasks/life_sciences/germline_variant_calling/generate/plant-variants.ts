import type { Random } from "ale/contract/random";
import { contains, type Regions } from "../genome/intervals.ts";
import type { Variant } from "../genome/variant.ts";
import type { MadeContig } from "./make-reference.ts";

/** A variant and which of the two haplotypes carry it. */
export interface PlantedVariant extends Variant {
  readonly haplotypes: readonly (0 | 1)[];
}

const bases = ["A", "C", "G", "T"] as const;
/** Bases between the ends of unrelated sites. */
const spacing = 70;
/** Bases that sites keep from the borders of the callable regions. */
const margin = 40;

export interface Density {
  /** Mean distance of sites, in bases. */
  readonly spacing: number;
  /** Share of sites that are insertions or deletions. */
  readonly indels: number;
}

/**
 * Walks along each contig and plants sites: single SNVs (transitions twice as often as transversions), clusters of
 * two or three, indels in plain sequence and in short repeats, and sites where the two haplotypes carry two
 * different alternatives. Inside the callable regions sites keep 40 bases from the regions' ends, so that no
 * representation of them straddles a border.
 */
export function plantVariants(
  random: Random,
  contig: MadeContig,
  callable: Regions,
  density: Density,
): readonly PlantedVariant[] {
  const planted: PlantedVariant[] = [];
  let offset = 300;
  for (;;) {
    offset += spacing + Math.floor(-Math.log(1 - random.next()) * (density.spacing - spacing));
    if (offset > contig.sequence.length - 400) return planted;
    if (contig.sequence.slice(offset - 20, offset + 60).includes("N")) continue;
    const site = plantSite(random, contig, offset, density);
    const astride = site.some(({ position }) => isNearBorder(callable, contig.name, position - 1));
    if (astride) continue;
    planted.push(...site);
    offset = Math.max(...site.map(({ position, ref }) => position + ref.length), offset);
  }
}

function isNearBorder(callable: Regions, contig: string, offset: number): boolean {
  const inside = contains(callable, contig, offset);
  if (inside) return !contains(callable, contig, offset, margin);
  return contains(callable, contig, offset - margin) || contains(callable, contig, offset + margin);
}

function plantSite(
  random: Random,
  contig: MadeContig,
  offset: number,
  density: Density,
): readonly PlantedVariant[] {
  const kind = random.next();
  if (kind < density.indels * 0.55) return [indelAt(random, contig, offset, zygosity(random))];
  if (kind < density.indels)
    return [indelAt(random, contig, nearestRepeat(contig, offset), zygosity(random))];
  const rest = (kind - density.indels) / (1 - density.indels);
  if (rest < 0.04) return twoAlternatives(random, contig, offset);
  if (rest < 0.14) {
    const gaps =
      random.next() < 0.5 ? [0, random.integer(3, 20)] : [0, random.integer(3, 12), random.integer(15, 24)];
    const shared = zygosity(random);
    return gaps.map((gap) =>
      snvAt(random, contig, offset + gap, random.next() < 0.7 ? shared : zygosity(random)),
    );
  }
  return [snvAt(random, contig, offset, zygosity(random))];
}

function zygosity(random: Random): readonly (0 | 1)[] {
  return random.next() < 0.36 ? [0, 1] : [random.next() < 0.5 ? 0 : 1];
}

function snvAt(
  random: Random,
  { name, sequence }: MadeContig,
  offset: number,
  haplotypes: readonly (0 | 1)[],
): PlantedVariant {
  const ref = sequence[offset] as string;
  const transition = { A: "G", G: "A", C: "T", T: "C" }[ref] ?? "A";
  const others = bases.filter((base) => base !== ref && base !== transition);
  const alt = random.next() < 0.67 ? transition : random.pick(others);
  return { contig: name, position: offset + 1, ref, alt, haplotypes };
}

function twoAlternatives(random: Random, contig: MadeContig, offset: number): readonly PlantedVariant[] {
  const ref = contig.sequence[offset] as string;
  const [first, second] = random.shuffle(bases.filter((base) => base !== ref)) as [string, string];
  const site = { contig: contig.name, position: offset + 1, ref };
  return [
    { ...site, alt: first, haplotypes: [0] },
    { ...site, alt: second, haplotypes: [1] },
  ];
}

function indelAt(
  random: Random,
  { name, sequence }: MadeContig,
  offset: number,
  haplotypes: readonly (0 | 1)[],
): PlantedVariant {
  const anchor = sequence[offset] as string;
  const size = Math.min(14, 1 + Math.floor(-Math.log(1 - random.next()) * 3.2));
  if (random.next() < 0.5) {
    const ref = sequence.slice(offset, offset + 1 + size);
    return { contig: name, position: offset + 1, ref, alt: anchor, haplotypes };
  }
  const inserted = Array.from({ length: size }, () => random.pick(bases)).join("");
  return { contig: name, position: offset + 1, ref: anchor, alt: anchor + inserted, haplotypes };
}

/** The base before the next short repeat within 400 bases, else the offset itself. */
function nearestRepeat({ masked, hard }: MadeContig, offset: number): number {
  const next = masked.find(({ start }) => start > offset && start < offset + 400);
  const blocked =
    next === undefined || hard.some(({ start, end }) => next.start > start - 250 && next.start < end + 250);
  return blocked ? offset : next.start - 1;
}

/** The sequence of one haplotype: variants applied from right to left. */
export function applyVariants(
  sequence: string,
  planted: readonly PlantedVariant[],
  haplotype: 0 | 1,
): string {
  let edited = "";
  let from = 0;
  for (const { position, ref, alt, haplotypes } of planted) {
    if (!haplotypes.includes(haplotype)) continue;
    edited += sequence.slice(from, position - 1) + alt;
    from = position - 1 + ref.length;
  }
  return edited + sequence.slice(from);
}
