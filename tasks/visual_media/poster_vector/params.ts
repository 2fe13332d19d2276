/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  readonly title: string;
  readonly place: string;
  readonly date: string;
  /** Of the page, in millimetres. */
  readonly width: number;
  readonly height: number;
  /** Of the preview, in pixels. */
  readonly png_width: number;
  /** Points of the star. */
  readonly points: number;
  /** Where the logo goes, as said to the agent: x, y, width, height in millimetres. */
  readonly logo_box: string;
};
