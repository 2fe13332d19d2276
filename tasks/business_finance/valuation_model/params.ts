/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly company: string;
  readonly currency: string;
  readonly base_year: number;
  /** Where the switch stands when the workbook is handed in: 1 base, 2 upside, 3 downside. */
  readonly scenario: number;
  /** Years by which a year's cash comes before its end: 0.5 in the middle, 0 at the end. */
  readonly timing: number;
  /** Revenue of the base year, about, in thousands; and gross margin. */
  readonly revenue: number;
  readonly margin: number;
};
