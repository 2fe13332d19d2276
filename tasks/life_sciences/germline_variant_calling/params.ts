/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly sample: string;
  /** Lengths of the contigs in thousands of bases, joined by `+`. */
  readonly contig_kb: string;
  readonly depth: number;
  readonly read_length: number;
  /** Mean distance of variant sites, in bases. */
  readonly site_spacing: number;
  readonly indel_share: number;
  readonly duplicate_share: number;
  readonly jackpots: number;
  readonly noise: number;
};
