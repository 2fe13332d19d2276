/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** Frames of the finished shot. */
  readonly frames: number;
  /** Frame of the plate with which the shot begins. */
  readonly plate_first: number;
  readonly title: string;
  readonly subtitle: string;
  /** The side of the picture at which the panel comes to rest, and from which it enters. */
  readonly side: "left" | "right";
};
