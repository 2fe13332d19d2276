/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** Frames of the finished shot. */
  readonly frames: number;
  /** Frame of the finished shot at which the subject appears. */
  readonly enters: number;
  /** First frame of the footage that is used. */
  readonly cut_in: number;
  /** How many frames of the footage are used. */
  readonly used: number;
};
