/** A place on the board, in millimetres; y runs down. */
export type Place = readonly [x: number, y: number];

export interface Pad {
  /** `reference.number`, e.g. `R1.2`. */
  readonly name: string;
  readonly net: string;
  readonly shape: "rect" | "roundrect" | "circle" | "oval";
  readonly at: Place;
  readonly size: readonly [width: number, height: number];
  /** Counter-clockwise on the screen, in degrees. */
  readonly angle: number;
  /** Of a rounded rectangle: radius / shorter side. */
  readonly roundness: number;
  readonly layers: readonly string[];
  /** Diameter of its hole; 0 without one. */
  readonly drill: number;
}

export interface Track {
  readonly net: string;
  readonly layer: string;
  readonly width: number;
  /** Two ends, or a polyline along an arc. */
  readonly points: readonly Place[];
}

export interface Via {
  readonly net: string;
  readonly at: Place;
  readonly diameter: number;
  readonly drill: number;
}

/** Copper poured into a zone. */
export interface Pour {
  readonly net: string;
  readonly layer: string;
  readonly outline: readonly Place[];
}

export interface Board {
  readonly nets: readonly string[];
  readonly pads: readonly Pad[];
  /** Each footprint by its reference, where and how it stands: `x y angle layer`. */
  readonly footprints: ReadonlyMap<string, string>;
  readonly tracks: readonly Track[];
  readonly vias: readonly Via[];
  readonly pours: readonly Pour[];
  /** Lines of the outline. */
  readonly edges: readonly (readonly [Place, Place])[];
}

/** Both outer copper layers of a board of two. */
export const copperLayers: readonly string[] = ["F.Cu", "B.Cu"];
