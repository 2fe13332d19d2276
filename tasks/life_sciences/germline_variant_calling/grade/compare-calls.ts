import { contains, type Regions } from "../genome/intervals.ts";
import { type CalledVariant, isSnv, variantKey } from "../genome/variant.ts";
import type { Call } from "./read-calls.ts";

export interface Agreement {
  readonly recall: number;
  readonly precision: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export interface Comparison {
  readonly all: Agreement;
  readonly snv: Agreement;
  readonly indel: Agreement;
  /** Found variants, and those whose genotype is another one. */
  readonly found: number;
  readonly wrongGenotypes: readonly string[];
  /** Calls whose normalised position is not callable; they count nowhere else. */
  readonly outside: number;
}

/** Matches normalised alleles within the callable regions. */
export function compareCalls(
  calls: readonly Call[],
  truth: readonly CalledVariant[],
  callable: Regions,
): Comparison {
  const inside = calls.filter(({ contig, position }) => contains(callable, contig, position - 1));
  const called = new Map(inside.map((call) => [variantKey(call), call]));
  const matched = truth.filter((variant) => called.has(variantKey(variant)));
  const wrong = matched.filter((variant) => called.get(variantKey(variant))?.dosage !== variant.dosage);
  return {
    all: agreement(inside, truth),
    snv: agreement(inside.filter(isSnv), truth.filter(isSnv)),
    indel: agreement(
      inside.filter((call) => !isSnv(call)),
      truth.filter((variant) => !isSnv(variant)),
    ),
    found: matched.length,
    wrongGenotypes: wrong.map(variantKey),
    outside: calls.length - inside.length,
  };
}

function agreement(calls: readonly Call[], truth: readonly CalledVariant[]): Agreement {
  const wanted = new Set(truth.map(variantKey));
  const called = new Set(calls.map(variantKey));
  const missing = [...wanted].filter((key) => !called.has(key));
  const extra = [...called].filter((key) => !wanted.has(key));
  const common = wanted.size - missing.length;
  return {
    recall: wanted.size === 0 ? 1 : common / wanted.size,
    precision: called.size === 0 ? 0 : common / called.size,
    missing,
    extra,
  };
}
