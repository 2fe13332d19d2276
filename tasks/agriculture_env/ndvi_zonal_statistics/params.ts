/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** EPSG code of the scenes: WGS 84 / UTM, 326zz north or 327zz south. */
  readonly epsg: number;
  /** Upper left corner of the scenes, in metres. */
  readonly easting: number;
  readonly northing: number;
  /** Width and height in 10 m pixels, both even. */
  readonly width: number;
  readonly height: number;
  readonly date_from: string;
  readonly date_middle: string;
  readonly date_to: string;
  /** From this date on, digital numbers carry the offset of the newer processing baseline. */
  readonly offset_since: string;
  /** How far clouds are grown, in 10 m pixels. */
  readonly dilation: number;
  /** Cells of the parcel grid, in pixels. */
  readonly cell: number;
  /** Clouds per date. */
  readonly clouds: number;
  readonly season: number;
};
