/** A variant with one alternative allele, as in a VCF record: 1-based position, upper-case alleles. */
export interface Variant {
  readonly contig: string;
  readonly position: number;
  readonly ref: string;
  readonly alt: string;
}

/** A variant and how many of the sample's two chromosomes carry it. */
export interface CalledVariant extends Variant {
  readonly dosage: 1 | 2;
}

export function variantKey({ contig, position, ref, alt }: Variant): string {
  return `${contig}:${position}:${ref}>${alt}`;
}

/** Single-nucleotide variant; everything else that is normalised is an insertion or a deletion. */
export function isSnv({ ref, alt }: Variant): boolean {
  return ref.length === 1 && alt.length === 1;
}
