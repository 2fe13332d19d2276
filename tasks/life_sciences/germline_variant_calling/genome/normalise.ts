import type { Variant } from "./variant.ts";

/**
 * The one representation of a variant: common ends trimmed, shifted left as far as the sequence allows, one base of
 * context kept (Tan, Abecasis and Kang 2015, "Unified representation of genetic variants"). Undefined when both
 * alleles are the same.
 * @param sequence the contig, upper case.
 */
export function normalise(variant: Variant, sequence: string): Variant | undefined {
  let { position, ref, alt } = variant;
  if (ref === alt) return undefined;
  for (;;) {
    const sameEnd = ref.at(-1) === alt.at(-1);
    if (sameEnd && (Math.min(ref.length, alt.length) > 1 || position > 1)) {
      if (Math.min(ref.length, alt.length) === 1) {
        const before = sequence[position - 2] ?? "N";
        ref = before + ref;
        alt = before + alt;
        position--;
      }
      ref = ref.slice(0, -1);
      alt = alt.slice(0, -1);
    } else break;
  }
  while (Math.min(ref.length, alt.length) > 1 && ref[0] === alt[0]) {
    ref = ref.slice(1);
    alt = alt.slice(1);
    position++;
  }
  return { contig: variant.contig, position, ref, alt };
}

/** Normalises, and takes apart what replaces several bases by as many others, base by base. */
export function decompose(variant: Variant, sequence: string): readonly Variant[] {
  const { contig, position, ref, alt } = variant;
  if (ref.length !== alt.length) {
    const normal = normalise(variant, sequence);
    return normal === undefined ? [] : [normal];
  }
  const parts: Variant[] = [];
  for (let index = 0; index < ref.length; index++) {
    const [from, to] = [ref[index] as string, alt[index] as string];
    if (from !== to) parts.push({ contig, position: position + index, ref: from, alt: to });
  }
  return parts;
}
