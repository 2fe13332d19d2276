/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** The day as of which the portfolio is reviewed, `YYYY-MM-DD`. */
  readonly review_date: string;
  readonly client: string;
  /** Numbers of contracts by kind. */
  readonly services: number;
  readonly distribution: number;
  readonly sales: number;
  readonly frameworks: number;
};
