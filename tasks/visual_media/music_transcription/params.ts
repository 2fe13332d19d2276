/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly title: string;
  readonly composer: string;
  /** Quarter notes per minute. */
  readonly tempo: number;
  /** Key signature: sharps, or flats when negative. Major. */
  readonly fifths: number;
  readonly bars: number;
  /** Names of instruments of `instruments.json`. */
  readonly upper: string;
  readonly lower: string;
};
