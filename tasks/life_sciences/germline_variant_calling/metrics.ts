import { isSnv, type Variant } from "./genome/variant.ts";

/** The figures of `metrics.json` that follow from the call set alone. */
export interface CallSetFigures {
  readonly snvs: number;
  readonly indels: number;
  /** Transitions over transversions among the SNVs. */
  readonly ts_tv: number;
  /** Alleles carried once over alleles carried twice. */
  readonly het_hom_ratio: number;
}

/** Counts of normalised alleles: a site with two alternatives counts twice. */
export function callSetFigures(calls: readonly (Variant & { readonly dosage: number })[]): CallSetFigures {
  const snvs = calls.filter(isSnv);
  const transitions = snvs.filter(({ ref, alt }) => ["AG", "GA", "CT", "TC"].includes(ref + alt)).length;
  const heterozygous = calls.filter(({ dosage }) => dosage === 1).length;
  return {
    snvs: snvs.length,
    indels: calls.length - snvs.length,
    ts_tv: transitions / Math.max(1, snvs.length - transitions),
    het_hom_ratio: heterozygous / Math.max(1, calls.length - heterozygous),
  };
}
