/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** Ends with its place in the family, from 1. */
  readonly part_number: string;
  /** Size against the smallest family. */
  readonly scale: number;
  /** How many part numbers the drawing has. */
  readonly family: number;
};
