import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { GenerateContext } from "ale/task";
import { contains, type Regions, readBed, sizeOf, subtract } from "../genome/intervals.ts";
import { normalise } from "../genome/normalise.ts";
import { type CalledVariant, variantKey } from "../genome/variant.ts";
import type { Params } from "../params.ts";
import type { Truth } from "../truth.ts";
import { type MadeContig, makeReference, toFasta } from "./make-reference.ts";
import { makeRegions } from "./make-regions.ts";
import { applyVariants, type PlantedVariant, plantVariants } from "./plant-variants.ts";
import { type Fragment, simulateReads } from "./simulate-reads.ts";

/** Writes the reads, the reference and the region files, and the hidden truth. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const lengths = params.contig_kb.split("+").map((size) => Number(size) * 1000);
  const contigs = makeReference(random.fork("reference"), lengths);
  const regions = makeRegions(random.fork("regions"), contigs);
  const callable = subtract(readBed(regions.targets), readBed(regions.excluded));
  const density = { spacing: params.site_spacing, indels: params.indel_share };
  const planted = contigs.map((contig) =>
    plantVariants(random.fork(`variants/${contig.name}`), contig, callable, density),
  );
  const sample = contigs.map(({ sequence }, index) => {
    const variants = planted[index] as readonly PlantedVariant[];
    const haplotype = (which: 0 | 1) => Buffer.from(applyVariants(sequence, variants, which), "latin1");
    return { haplotypes: [haplotype(0), haplotype(1)] as const };
  });
  const { lanes, pairs, distinct } = simulateReads(random.fork("reads"), sample, {
    depth: params.depth,
    readLength: params.read_length,
    duplicates: params.duplicate_share,
    jackpots: params.jackpots,
    noise: params.noise,
  });

  writeFileSync(join(input, "reference.fa"), toFasta(contigs));
  writeFileSync(join(input, "targets.bed"), regions.targets);
  writeFileSync(join(input, "excluded.bed"), regions.excluded);
  for (const { lane, first, second } of lanes) {
    const name = `${params.sample}_L00${lane}`;
    writeFileSync(join(input, `${name}_R1.fastq.gz`), gzipSync(first, { level: 4 }));
    writeFileSync(join(input, `${name}_R2.fastq.gz`), gzipSync(second, { level: 4 }));
  }

  const variants = contigs
    .flatMap(({ sequence }, index) => callsOf(planted[index] ?? [], sequence))
    .filter(({ contig, position }) => contains(callable, contig, position - 1));
  const truth: Truth = {
    variants,
    readPairs: pairs,
    duplicateFraction: 1 - distinct.length / pairs,
    meanDepth: coveredBases(distinct, contigs, callable, params.read_length) / sizeOf(callable),
  };
  writeFileSync(join(reference, "truth.json"), `${JSON.stringify(truth, null, 1)}\n`);
}

/** The planted variants as a caller should report them; what both haplotypes share counts twice. */
function callsOf(planted: readonly PlantedVariant[], sequence: string): readonly CalledVariant[] {
  const calls = new Map<string, CalledVariant>();
  for (const variant of planted) {
    const normal = normalise(variant, sequence);
    if (normal === undefined) continue;
    const dosage = variant.haplotypes.length === 2 ? 2 : 1;
    calls.set(variantKey(normal), { ...normal, dosage });
  }
  return [...calls.values()];
}

/** Bases of both mates within the regions; that indels shift the haplotypes a little does not show in a mean. */
function coveredBases(
  fragments: readonly Fragment[],
  contigs: readonly MadeContig[],
  regions: Regions,
  readLength: number,
): number {
  let covered = 0;
  for (const { contig, start, length } of fragments) {
    const list = regions.get(contigs[contig]?.name ?? "") ?? [];
    const size = Math.min(length, readLength);
    for (const from of [start, start + length - size]) {
      for (const interval of list) {
        covered += Math.max(0, Math.min(from + size, interval.end) - Math.max(from, interval.start));
      }
    }
  }
  return covered;
}
