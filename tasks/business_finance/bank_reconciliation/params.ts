/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** The month to reconcile, as YYYY-MM. */
  readonly period: string;
  /** Its last day. */
  readonly period_end: string;
  /** Lines of the operating account (1010) and of the second account (1020) that are booked as they should be. */
  readonly operating: number;
  readonly second: number;
  /** How often each kind of difference is planted. */
  readonly differences: number;
};
