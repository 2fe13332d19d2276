import { type Dimensions, holeCentres } from "./dimensions.ts";

export type Point = readonly [x: number, y: number, z: number];

/** Below 0 inside, above 0 outside; its size never more than the distance to the surface, and exactly that near a face. */
export type Field = (point: Point) => number;

/** A named part of the surface: where to look for it, and the figure whose faces it is. */
export interface Feature {
  readonly name: string;
  readonly field: Field;
  /** Boxes around its faces: lowest and highest corner. */
  readonly regions: readonly (readonly [Point, Point])[];
}

export interface Solid {
  readonly field: Field;
  readonly features: readonly Feature[];
}

/** The part as a field of distances, made of boxes, cylinders and slanted planes. */
export function solidOf(part: Dimensions): Solid {
  const { plate_length: length, plate_width: width, plate_thickness: thick } = part;
  const { corner_radius: radius, wall_thickness: wall, gusset_leg: leg, gusset_thickness: gusset } = part;
  const top = thick + part.wall_height;
  const front = width - wall;

  const corners = union(
    ...[radius, length - radius].map((x) => {
      const outside = x === radius ? -1 : 1;
      const quarter = box([outside < 0 ? -1 : x, -1, -1], [outside < 0 ? x : length + 1, radius, thick + 1]);
      return intersect(quarter, not(upright(x, radius, radius)));
    }),
  );
  const plate = intersect(box([0, 0, 0], [length, width, thick]), not(corners));
  const boss = intersect(
    upright(part.boss_x, part.boss_y, part.boss_diameter / 2),
    between(2, 0, thick + part.boss_height),
  );
  const chamfers = union(
    slope([0, front, top - part.wall_chamfer], [-1, 0, 1]),
    slope([length, front, top - part.wall_chamfer], [1, 0, 1]),
  );
  // Down to the underside, so that no face lies within the part.
  const upstand = intersect(box([0, front, 0], [length, width, top]), not(chamfers));
  const rib = intersect(
    not(slope([0, front - leg, thick], [0, -1, 1])),
    box([0, front - leg, 0], [length, width, thick + leg]),
  );
  const gussets = union(
    intersect(rib, between(0, 0, gusset)),
    intersect(rib, between(0, length - gusset, length)),
  );
  const holes = union(...holeCentres(part).map(([x, y]) => upright(x, y, part.hole_diameter / 2)));
  const below = thick - part.counterbore_depth;
  const counterbores = union(
    ...holeCentres(part).map(([x, y]) =>
      intersect(upright(x, y, part.counterbore_diameter / 2), between(2, below, thick + 1)),
    ),
  );
  const bore = upright(part.boss_x, part.boss_y, part.bore_diameter / 2);
  const half = (part.slot_length - part.slot_width) / 2;
  const slot: Field = ([x, y]) =>
    Math.hypot(Math.max(0, Math.abs(x - part.slot_x) - half), y - part.slot_y) - part.slot_width / 2;
  const height = thick + part.cross_height;
  const along: Field = ([x, , z]) => Math.hypot(x - part.cross_x, z - height) - part.cross_diameter / 2;
  const cross = intersect(along, between(1, front - 1, width + 1));

  const around = (x: number, y: number, reach: number, from: number, to: number): readonly [Point, Point] => [
    [x - reach, y - reach, from],
    [x + reach, y + reach, to],
  ];
  const features: readonly Feature[] = [
    {
      name: "corners",
      field: corners,
      regions: [
        [
          [0, 0, 0],
          [radius, radius, thick],
        ],
        [
          [length - radius, 0, 0],
          [length, radius, thick],
        ],
      ],
    },
    {
      name: "holes",
      field: holes,
      regions: holeCentres(part).map(([x, y]) => around(x, y, part.hole_diameter / 2, 0, below)),
    },
    {
      name: "counterbores",
      field: counterbores,
      regions: holeCentres(part).map(([x, y]) => around(x, y, part.counterbore_diameter / 2, below, thick)),
    },
    {
      name: "bore",
      field: bore,
      regions: [around(part.boss_x, part.boss_y, part.bore_diameter / 2, 0, thick + part.boss_height)],
    },
    {
      name: "slot",
      field: slot,
      regions: [
        [
          [part.slot_x - part.slot_length / 2, part.slot_y - part.slot_width / 2, 0],
          [part.slot_x + part.slot_length / 2, part.slot_y + part.slot_width / 2, thick],
        ],
      ],
    },
    {
      name: "cross hole",
      field: cross,
      regions: [
        [
          [part.cross_x - part.cross_diameter / 2, front, height - part.cross_diameter / 2],
          [part.cross_x + part.cross_diameter / 2, width, height + part.cross_diameter / 2],
        ],
      ],
    },
    {
      name: "chamfers",
      field: chamfers,
      regions: [
        [
          [0, front, top - part.wall_chamfer],
          [part.wall_chamfer, width, top],
        ],
        [
          [length - part.wall_chamfer, front, top - part.wall_chamfer],
          [length, width, top],
        ],
      ],
    },
    {
      name: "gussets",
      field: gussets,
      regions: [
        [
          [0, front - leg, thick],
          [gusset, front, thick + leg],
        ],
        [
          [length - gusset, front - leg, thick],
          [length, front, thick + leg],
        ],
      ],
    },
    {
      name: "boss",
      field: boss,
      regions: [around(part.boss_x, part.boss_y, part.boss_diameter / 2, thick, thick + part.boss_height)],
    },
    {
      name: "wall",
      field: upstand,
      regions: [
        [
          [0, front, thick],
          [length, width, top],
        ],
      ],
    },
    {
      name: "plate",
      field: plate,
      regions: [
        [
          [0, 0, 0],
          [length, width, thick],
        ],
      ],
    },
  ];
  const field = intersect(
    union(plate, boss, upstand, gussets),
    not(union(holes, counterbores, bore, slot, cross)),
  );
  return { field, features };
}

function union(...fields: readonly Field[]): Field {
  return (point) => Math.min(...fields.map((field) => field(point)));
}

function intersect(...fields: readonly Field[]): Field {
  return (point) => Math.max(...fields.map((field) => field(point)));
}

function not(field: Field): Field {
  return (point) => -field(point);
}

function between(axis: 0 | 1 | 2, from: number, to: number): Field {
  return (point) => Math.abs(point[axis] - (from + to) / 2) - (to - from) / 2;
}

function box(low: Point, high: Point): Field {
  return intersect(...([0, 1, 2] as const).map((axis) => between(axis, low[axis], high[axis])));
}

/** An endless cylinder along z. */
function upright(x: number, y: number, radius: number): Field {
  return (point) => Math.hypot(point[0] - x, point[1] - y) - radius;
}

/** The half of space beyond a slanted plane through a point, on the side its normal points to. */
function slope(through: Point, normal: Point): Field {
  const size = Math.hypot(...normal);
  return (point) =>
    -normal.reduce(
      (sum, value, axis) => sum + value * ((point[axis] as number) - (through[axis] as number)),
      0,
    ) / size;
}
