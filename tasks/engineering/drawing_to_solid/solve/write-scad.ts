import { type Dimensions, dimensionNames } from "../part/dimensions.ts";

/** The part in OpenSCAD's language: flat outlines with their holes, raised, so that few solids need to be joined. */
export function writeScad(part: Dimensions): string {
  const variables = dimensionNames.map((name) => `${name} = ${Number(part[name].toFixed(4))};`).join("\n");
  return `${variables}

$fn = 64;
overlap = 0.01;
front = plate_width - wall_thickness;

module hole_places() {
    for (x = [hole_inset, plate_length - hole_inset])
        for (y = [hole_inset, front - hole_inset])
            translate([x, y]) children();
}

module plate_outline() {
    hull() {
        for (x = [corner_radius, plate_length - corner_radius])
            translate([x, corner_radius]) circle(corner_radius);
        translate([0, corner_radius]) square([plate_length, plate_width - corner_radius]);
    }
}

module cut_through() {
    translate([boss_x, boss_y]) circle(d = bore_diameter);
    hull()
        for (side = [-1, 1])
            translate([slot_x + side * (slot_length - slot_width) / 2, slot_y]) circle(d = slot_width);
}

module plate() {
    lower = plate_thickness - counterbore_depth;
    linear_extrude(lower)
        difference() { plate_outline(); cut_through(); hole_places() circle(d = hole_diameter); }
    translate([0, 0, lower - overlap])
        linear_extrude(counterbore_depth + overlap)
            difference() { plate_outline(); cut_through(); hole_places() circle(d = counterbore_diameter); }
}

module boss() {
    translate([boss_x, boss_y, plate_thickness - overlap])
        linear_extrude(boss_height + overlap)
            difference() { circle(d = boss_diameter); circle(d = bore_diameter); }
}

module wall() {
    high = plate_thickness + wall_height;
    translate([0, plate_width, 0]) rotate([90, 0, 0])
        linear_extrude(wall_thickness)
            difference() {
                polygon([
                    [0, 0], [plate_length, 0], [plate_length, high - wall_chamfer],
                    [plate_length - wall_chamfer, high], [wall_chamfer, high], [0, high - wall_chamfer]
                ]);
                translate([cross_x, plate_thickness + cross_height]) circle(d = cross_diameter);
            }
}

module gusset() {
    rotate([90, 0, 90])
        linear_extrude(gusset_thickness)
            polygon([
                [front - gusset_leg, plate_thickness], [front - gusset_leg, plate_thickness - overlap],
                [front + overlap, plate_thickness - overlap], [front + overlap, plate_thickness + gusset_leg],
                [front, plate_thickness + gusset_leg]
            ]);
}

union() {
    plate();
    boss();
    wall();
    gusset();
    translate([plate_length - gusset_thickness, 0, 0]) gusset();
}
`;
}
