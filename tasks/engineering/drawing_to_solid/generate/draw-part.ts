import { type Dimensions, holeCentres } from "../part/dimensions.ts";
import { type Lettered, letters } from "../part/letters.ts";
import { Sheet } from "./sheet.ts";

/** A column of the table. */
export interface FamilyMember {
  readonly number: string;
  readonly letters: Lettered;
}

/** Views of one part, to scale, with letters for dimensions; and the family's table. */
export function drawPart(part: Dimensions, family: readonly FamilyMember[]): Uint8Array {
  const sheet = new Sheet(420, 297);
  sheet.polyline("thick", [
    [10, 10],
    [410, 10],
    [410, 287],
    [10, 287],
    [10, 10],
  ]);
  const scale = 112 / part.plate_length;
  drawFront(sheet, part, (x, z) => [52 + x * scale, 52 + z * scale], scale);
  drawTop(sheet, part, (x, y) => [52 + x * scale, 150 + y * scale], scale);
  drawSide(sheet, part, (y, z) => [232 + y * scale, 52 + z * scale]);
  drawTable(sheet, family);
  return sheet.toPdf();
}

type View = (across: number, up: number) => readonly [number, number];

function drawFront(sheet: Sheet, part: Dimensions, at: View, scale: number): void {
  const { plate_length: length, plate_thickness: thick, wall_chamfer: chamfer, boss_x: axis } = part;
  const top = thick + part.wall_height;
  const [boss, bore] = [part.boss_diameter / 2, part.bore_diameter / 2];
  const crown = thick + part.boss_height;
  sheet.polyline("thick", [at(0, 0), at(length, 0), at(length, thick), at(0, thick), at(0, 0)]);
  sheet.polyline("thick", [
    at(0, thick),
    at(0, top - chamfer),
    at(chamfer, top),
    at(length - chamfer, top),
    at(length, top - chamfer),
    at(length, thick),
  ]);
  sheet.polyline("thick", [
    at(axis - boss, thick),
    at(axis - boss, crown),
    at(axis + boss, crown),
    at(axis + boss, thick),
  ]);
  for (const side of [-bore, bore]) sheet.polyline("hidden", [at(axis + side, 0), at(axis + side, crown)]);
  for (const x of [part.gusset_thickness, length - part.gusset_thickness]) {
    sheet.polyline("thick", [at(x, thick), at(x, thick + part.gusset_leg)]);
  }
  for (const [from, to] of [
    [0, part.gusset_thickness],
    [length - part.gusset_thickness, length],
  ] as const) {
    sheet.polyline("thick", [at(from, thick + part.gusset_leg), at(to, thick + part.gusset_leg)]);
  }
  for (const [x] of holeCentres(part).slice(0, 2)) {
    const [small, large, deep] = [
      part.hole_diameter / 2,
      part.counterbore_diameter / 2,
      thick - part.counterbore_depth,
    ];
    for (const side of [-1, 1]) {
      sheet.polyline("hidden", [
        at(x + side * small, 0),
        at(x + side * small, deep),
        at(x + side * large, deep),
        at(x + side * large, thick),
      ]);
    }
  }
  const eye = thick + part.cross_height;
  sheet.circle("thick", at(part.cross_x, eye), (part.cross_diameter / 2) * scale);
  sheet.polyline("centre", [at(axis, -4), at(axis, crown + 5)]);
  sheet.polyline("centre", [at(part.cross_x, eye - 12), at(part.cross_x, top + 3)]);
  sheet.across(at(0, 0), at(length, 0), 32, "A");
  sheet.upward(at(0, 0), at(0, thick), 40, "C");
  sheet.upward(at(0, 0), at(0, top), 30, "W");
  sheet.upward(at(axis - boss, 0), at(axis - boss, crown), at(axis - boss, 0)[0] - 9, "M");
  sheet.across(at(part.cross_x, eye), at(length, top - chamfer), at(0, top)[1] + 8, "Z");
  sheet.upward(at(part.cross_x, eye), at(length * 0.9, top), at(length, 0)[0] + 8, "AA");
  sheet.leader(
    at(part.cross_x - part.cross_diameter * 0.3, eye - part.cross_diameter * 0.35),
    [at(part.cross_x, 0)[0] + 2, 24],
    "ØY THRU WALL",
  );
  sheet.leader(at(chamfer / 2, top - chamfer / 2), [at(0, 0)[0] + 8, at(0, top)[1] + 8], "2× 45° X");
  sheet.across(
    at(0, thick + part.gusset_leg),
    at(part.gusset_thickness, thick + part.gusset_leg),
    at(0, thick + part.gusset_leg)[1] + 4,
    "AC",
  );
}

function drawTop(sheet: Sheet, part: Dimensions, at: View, scale: number): void {
  const { plate_length: length, plate_width: width, corner_radius: radius, boss_x, boss_y } = part;
  const front = width - part.wall_thickness;
  sheet.polyline("thick", [at(0, radius), at(0, width), at(length, width), at(length, radius)]);
  sheet.polyline("thick", [at(radius, 0), at(length - radius, 0)]);
  sheet.arc("thick", at(radius, radius), radius * scale, 180, 270);
  sheet.arc("thick", at(length - radius, radius), radius * scale, 270, 360);
  sheet.polyline("thick", [at(0, front), at(length, front)]);
  for (const x of [part.wall_chamfer, length - part.wall_chamfer])
    sheet.polyline("thick", [at(x, front), at(x, width)]);
  for (const [outer, inner] of [
    [0, part.gusset_thickness],
    [length, length - part.gusset_thickness],
  ] as const) {
    sheet.polyline("thick", [
      at(outer, front - part.gusset_leg),
      at(inner, front - part.gusset_leg),
      at(inner, front),
    ]);
  }
  for (const centre of holeCentres(part)) {
    sheet.circle("thick", at(...centre), (part.hole_diameter / 2) * scale);
    sheet.circle("thick", at(...centre), (part.counterbore_diameter / 2) * scale);
  }
  sheet.circle("thick", at(boss_x, boss_y), (part.boss_diameter / 2) * scale);
  sheet.circle("thick", at(boss_x, boss_y), (part.bore_diameter / 2) * scale);
  const [half, round] = [(part.slot_length - part.slot_width) / 2, part.slot_width / 2];
  const { slot_x, slot_y } = part;
  for (const side of [-round, round])
    sheet.polyline("thick", [at(slot_x - half, slot_y + side), at(slot_x + half, slot_y + side)]);
  sheet.arc("thick", at(slot_x - half, slot_y), round * scale, 90, 270);
  sheet.arc("thick", at(slot_x + half, slot_y), round * scale, -90, 90);
  for (const side of [-1, 1]) {
    const x = part.cross_x + (side * part.cross_diameter) / 2;
    sheet.polyline("hidden", [at(x, front), at(x, width)]);
  }
  sheet.polyline("centre", [at(boss_x, boss_y - 24), at(boss_x, boss_y + 24)]);
  sheet.polyline("centre", [at(boss_x - 24, boss_y), at(boss_x + 24, boss_y)]);
  sheet.polyline("centre", [at(slot_x, slot_y - 9), at(slot_x, slot_y + 9)]);
  const [[holeX, holeY], , [, backY]] = holeCentres(part) as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  const [left, low] = at(0, 0);
  const [right, high] = at(length, width);
  sheet.across(at(0, 0), at(boss_x, boss_y), low - 14, "P");
  sheet.across(at(boss_x, boss_y), at(slot_x, slot_y), low - 14, "T");
  sheet.across(at(0, holeY), at(holeX, holeY), low - 6, "H");
  sheet.upward(at(0, 0), at(holeX, holeY), left - 6, "H");
  sheet.upward(at(holeX, backY), at(0, front), left - 6, "H");
  sheet.upward(at(0, 0), at(0, width), left - 20, "B");
  sheet.upward(at(length, front), at(length, width), right + 6, "V");
  sheet.upward(at(boss_x, boss_y), at(length, front), right + 14, "Q");
  sheet.upward(at(length, 0), at(slot_x, slot_y), right + 22, "U");
  sheet.across(
    at(slot_x - part.slot_length / 2, slot_y),
    at(slot_x + part.slot_length / 2, slot_y),
    high + 5,
    "R",
  );
  sheet.leader(at(slot_x + half, slot_y - round), [right + 10, low - 4], "SLOT S WIDE, FULL R, THRU");
  sheet.leader(
    at(boss_x + part.boss_diameter * 0.35, boss_y + part.boss_diameter * 0.357),
    [at(boss_x, 0)[0] + 26, high + 13],
    "BOSS ØK, BORE ØN THRU",
  );
  sheet.leader(at(holeX, backY), [left + 14, high + 22], "4× ØE THRU, CBORE ØF × G DEEP");
  sheet.leader(at(length - radius * 0.3, radius * 0.3), [right + 10, low - 12], "2× R D");
}

function drawSide(sheet: Sheet, part: Dimensions, at: View): void {
  const { plate_width: width, plate_thickness: thick, gusset_leg: leg } = part;
  const front = width - part.wall_thickness;
  const top = thick + part.wall_height;
  const crown = thick + part.boss_height;
  const [boss, bore] = [part.boss_diameter / 2, part.bore_diameter / 2];
  sheet.polyline("thick", [
    at(0, 0),
    at(width, 0),
    at(width, top),
    at(front, top),
    at(front, thick),
    at(0, thick),
    at(0, 0),
  ]);
  sheet.polyline("thick", [at(front - leg, thick), at(front, thick + leg)]);
  sheet.polyline("thick", [at(front, top - part.wall_chamfer), at(width, top - part.wall_chamfer)]);
  const hidden = Math.min(part.boss_y + boss, front - leg);
  sheet.polyline("thick", [at(part.boss_y - boss, thick), at(part.boss_y - boss, crown), at(hidden, crown)]);
  sheet.polyline("hidden", [at(hidden, crown), at(part.boss_y + boss, crown), at(part.boss_y + boss, thick)]);
  for (const side of [-bore, bore])
    sheet.polyline("hidden", [at(part.boss_y + side, 0), at(part.boss_y + side, crown)]);
  for (const side of [-1, 1]) {
    const z = thick + part.cross_height + (side * part.cross_diameter) / 2;
    sheet.polyline("hidden", [at(front, z), at(width, z)]);
  }
  sheet.upward(at(width, 0), at(front, thick + leg), at(width, 0)[0] + 10, "AB");
  sheet.leader(at(front - leg / 2, thick + leg / 2), [at(0, 0)[0] + 14, at(0, top)[1] + 4], "2× GUSSET, 45°");
}

function drawTable(sheet: Sheet, family: readonly FamilyMember[]): void {
  const [left, top, line] = [262, 280, 4.6];
  const column = (index: number): number => left + 14 + index * 26;
  sheet.text([left, top - line], "DIM");
  for (const [index, { number }] of family.entries()) sheet.text([column(index), top - line], number, 3);
  sheet.polyline("thin", [
    [left, top - line - 1.2],
    [column(family.length), top - line - 1.2],
  ]);
  for (const [row, letter] of letters.entries()) {
    const y = top - line * (row + 2) - 1;
    sheet.text([left, y], letter, 3);
    for (const [index, member] of family.entries())
      sheet.text([column(index), y], String(member.letters[letter]), 3);
  }
  const notes = [
    "DIMENSIONS IN MILLIMETRES",
    "THIRD-ANGLE PROJECTION",
    "VIEWS DRAWN FOR ONE SIZE: DO NOT MEASURE",
  ];
  for (const [index, note] of notes.entries()) sheet.text([290, 26 - index * 5], note, 3);
}
