import type { Point } from "./transverse-mercator.ts";

/** A north-up grid of square pixels. */
export interface Grid {
  /** Upper left corner, in metres. */
  readonly easting: number;
  readonly northing: number;
  readonly pixel: number;
  readonly width: number;
  readonly height: number;
}

/** A polygon: outer ring, then holes; rings closed. A parcel has one or several. */
export type Polygon = readonly (readonly Point[])[];

/** The same polygon in pixel units: x to the right, y down, pixel centres at halves. */
export function toPixels(polygon: Polygon, { easting, northing, pixel }: Grid): Polygon {
  return polygon.map((ring) => ring.map(([x, y]): Point => [(x - easting) / pixel, (northing - y) / pixel]));
}
