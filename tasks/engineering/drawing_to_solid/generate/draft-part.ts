import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Dimensions } from "../part/dimensions.ts";

type Random = GenerateContext<Params>["random"];

/** A part of a family whose features never meet, whatever is drawn by lot. @param size about the plate's length over 130. */
export function draftPart(size: number, random: Random): Dimensions {
  const half = (low: number, high: number): number =>
    random.integer(Math.round(low * size * 2), Math.round(high * size * 2)) / 2;
  const plate_length = half(126, 136);
  const plate_width = half(84, 92);
  const wall_thickness = half(10, 13);
  const front = plate_width - wall_thickness;
  const plate_thickness = half(9, 12);
  const hole_inset = half(11, 13);
  const hole_diameter = half(5, 6.5);
  const boss_x = half(44, 48);
  const boss_y = Math.round(front) / 2 + random.integer(-4, 4) / 2;
  const wall_height = half(38, 46);
  return {
    plate_length,
    plate_width,
    plate_thickness,
    corner_radius: half(7, 10),
    hole_diameter,
    hole_inset,
    counterbore_diameter: hole_diameter + half(4, 5),
    counterbore_depth: half(3, 5),
    boss_diameter: half(32, 38),
    boss_height: half(14, 20),
    bore_diameter: half(18, 22),
    boss_x,
    boss_y,
    slot_length: half(20, 24),
    slot_width: half(7, 9),
    slot_x: boss_x + half(42, 45),
    slot_y: Math.round(front) / 2 + random.integer(-6, 6) / 2,
    wall_thickness,
    wall_height,
    wall_chamfer: half(5, 8),
    cross_diameter: half(12, 16),
    cross_x: half(72, 80),
    cross_height: half(20, 24),
    gusset_leg: half(22, 27),
    gusset_thickness: half(4.5, 6),
  };
}
