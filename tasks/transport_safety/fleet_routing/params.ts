/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** Orders before cancellations. */
  readonly orders: number;
  readonly sites: number;
  readonly junctions: number;
  /** Messages that change orders. */
  readonly changes: number;
  /** YYYY-MM-DD. */
  readonly service_day: string;
};
