/** The variables of the part, in millimetres; what each is stands in the instruction. */
export const dimensionNames = [
  "plate_length",
  "plate_width",
  "plate_thickness",
  "corner_radius",
  "hole_diameter",
  "hole_inset",
  "counterbore_diameter",
  "counterbore_depth",
  "boss_diameter",
  "boss_height",
  "bore_diameter",
  "boss_x",
  "boss_y",
  "slot_length",
  "slot_width",
  "slot_x",
  "slot_y",
  "wall_thickness",
  "wall_height",
  "wall_chamfer",
  "cross_diameter",
  "cross_x",
  "cross_height",
  "gusset_leg",
  "gusset_thickness",
] as const;

export type Dimensions = Readonly<Record<(typeof dimensionNames)[number], number>>;

/** The centres of the fixing holes: two from the front edge, two from the wall. */
export function holeCentres(part: Dimensions): readonly (readonly [x: number, y: number])[] {
  const { plate_length: length, hole_inset: inset } = part;
  const back = part.plate_width - part.wall_thickness - inset;
  return [
    [inset, inset],
    [length - inset, inset],
    [inset, back],
    [length - inset, back],
  ];
}

/** Exact, in cubic millimetres: features do not meet but where one stands on another. */
export function volumeOf(part: Dimensions): number {
  const disc = (diameter: number): number => (Math.PI / 4) * diameter ** 2;
  const plate = part.plate_length * part.plate_width - 2 * (1 - Math.PI / 4) * part.corner_radius ** 2;
  const slot = (part.slot_length - part.slot_width) * part.slot_width + disc(part.slot_width);
  const cut = disc(part.bore_diameter) + slot + 4 * disc(part.hole_diameter);
  const sunk = 4 * (disc(part.counterbore_diameter) - disc(part.hole_diameter)) * part.counterbore_depth;
  const boss = (disc(part.boss_diameter) - disc(part.bore_diameter)) * part.boss_height;
  const face = part.plate_length * part.wall_height - part.wall_chamfer ** 2 - disc(part.cross_diameter);
  const gussets = part.gusset_leg ** 2 * part.gusset_thickness;
  return (plate - cut) * part.plate_thickness - sunk + boss + face * part.wall_thickness + gussets;
}
