/** A subfield of the taxonomy with what covers it here. */
export interface SubfieldCoverage {
  readonly id: string;
  readonly name: string;
  /** Instances of the published exam. */
  readonly published: number;
  readonly workflows: number;
  readonly instances: number;
  /** Instances with a finished trial in the runs at hand. */
  readonly examined: number;
}

/** A cluster with its subfields. */
export interface DomainCoverage {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly published: number;
  readonly subfields: readonly SubfieldCoverage[];
}

export interface TaxonomyView {
  readonly domains: readonly DomainCoverage[];
}
