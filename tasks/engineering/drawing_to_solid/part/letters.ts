import type { Dimensions } from "./dimensions.ts";

/** The letters of the drawing, in the order of its table. Some are measured from elsewhere than the variables. */
export const letters = [
  "A",
  "B",
  "C",
  "D",
  "E",
  "F",
  "G",
  "H",
  "K",
  "M",
  "N",
  "P",
  "Q",
  "R",
  "S",
  "T",
  "U",
  "V",
  "W",
  "X",
  "Y",
  "Z",
  "AA",
  "AB",
  "AC",
] as const;

export type Lettered = Readonly<Record<(typeof letters)[number], number>>;

/** What the drawing says of a part. */
export function toLetters(part: Dimensions): Lettered {
  const { plate_thickness: thick } = part;
  const tidy = (value: number): number => Number(value.toFixed(3));
  return {
    A: part.plate_length,
    B: part.plate_width,
    C: thick,
    D: part.corner_radius,
    E: part.hole_diameter,
    F: part.counterbore_diameter,
    G: part.counterbore_depth,
    H: part.hole_inset,
    K: part.boss_diameter,
    M: tidy(thick + part.boss_height),
    N: part.bore_diameter,
    P: part.boss_x,
    Q: tidy(part.plate_width - part.wall_thickness - part.boss_y),
    R: part.slot_length,
    S: part.slot_width,
    T: tidy(part.slot_x - part.boss_x),
    U: part.slot_y,
    V: part.wall_thickness,
    W: tidy(thick + part.wall_height),
    X: part.wall_chamfer,
    Y: part.cross_diameter,
    Z: tidy(part.plate_length - part.cross_x),
    AA: tidy(part.wall_height - part.cross_height),
    AB: tidy(thick + part.gusset_leg),
    AC: part.gusset_thickness,
  };
}

/** The part that the drawing's letters mean. */
export function fromLetters(said: Lettered): Dimensions {
  const boss_y = said.B - said.V - said.Q;
  return {
    plate_length: said.A,
    plate_width: said.B,
    plate_thickness: said.C,
    corner_radius: said.D,
    hole_diameter: said.E,
    counterbore_diameter: said.F,
    counterbore_depth: said.G,
    hole_inset: said.H,
    boss_diameter: said.K,
    boss_height: said.M - said.C,
    bore_diameter: said.N,
    boss_x: said.P,
    boss_y,
    slot_length: said.R,
    slot_width: said.S,
    slot_x: said.P + said.T,
    slot_y: said.U,
    wall_thickness: said.V,
    wall_height: said.W - said.C,
    wall_chamfer: said.X,
    cross_diameter: said.Y,
    cross_x: said.A - said.Z,
    cross_height: said.W - said.AA - said.C,
    gusset_leg: said.AB - said.C,
    gusset_thickness: said.AC,
  };
}
