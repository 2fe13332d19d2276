/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly title: string;
  /** Of the board, in steps of the grid (0.635 mm). */
  readonly columns: number;
  readonly rows: number;
  /** Integrated circuits, and passive parts. */
  readonly circuits: number;
  readonly passives: number;
  /** Rules, in millimetres. */
  readonly clearance: number;
  readonly track: number;
  readonly via: number;
  readonly drill: number;
  readonly edge: number;
};
