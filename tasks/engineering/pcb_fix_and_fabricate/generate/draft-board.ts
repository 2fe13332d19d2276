import type { Board, Pad, Place } from "ale/grade/kicad/board";
import { copperLayers } from "ale/grade/kicad/board";
import type { GenerateContext } from "ale/task";
import { grid } from "../board/route-board.ts";
import type { Params } from "../params.ts";

type Random = GenerateContext<Params>["random"];

/** A kind of part, with its pads about its middle, in steps of the grid. */
export interface Kind {
  readonly name: string;
  readonly prefix: string;
  readonly pads: readonly {
    readonly at: Place;
    readonly size: readonly [number, number];
    readonly drill: number;
  }[];
  /** Half of the room it needs, in steps of the grid. */
  readonly room: readonly [across: number, down: number];
}

export interface Part {
  readonly reference: string;
  readonly kind: Kind;
  readonly at: Place;
}

export const header: Kind = {
  name: "PinHeader_1x06",
  prefix: "J",
  pads: [-10, -6, -2, 2, 6, 10].map((down) => ({ at: [0, down], size: [1.7, 1.7], drill: 1 })),
  room: [3, 13],
};

export const circuit: Kind = {
  name: "SOIC-8",
  prefix: "U",
  pads: [
    ...[-3, -1, 1, 3].map((down) => ({ at: [-4, down] as const, size: [1.5, 0.6] as const, drill: 0 })),
    ...[3, 1, -1, -3].map((down) => ({ at: [4, down] as const, size: [1.5, 0.6] as const, drill: 0 })),
  ],
  room: [8, 7],
};

const passives: readonly Kind[] = ["R", "C"].map((prefix) => ({
  name: `${prefix}_chip`,
  prefix,
  pads: [
    { at: [-2, 0], size: [1.2, 1.5], drill: 0 },
    { at: [2, 0], size: [1.2, 1.5], drill: 0 },
  ],
  room: [5, 4],
}));

/** A board with parts where they find room, and nets between their pins, not yet routed. */
export function draftBoard(
  params: Params,
  random: Random,
): { readonly board: Board; readonly parts: readonly Part[] } {
  const parts = placeParts(params, random);
  const nets = drawNets(parts, random);
  const [width, height] = [params.columns * grid, params.rows * grid].map((value) =>
    Number(value.toFixed(4)),
  ) as [number, number];
  const [left, top] = [100 * grid, 80 * grid];
  const corners: readonly Place[] = [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ];
  const board: Board = {
    nets: [...new Set(nets.values())],
    pads: parts.flatMap((part) => padsOf(part, nets)),
    footprints: new Map(parts.map(({ reference, at }) => [reference, `${at[0]} ${at[1]} 0 F.Cu`])),
    tracks: [],
    vias: [],
    pours: [],
    edges: corners.map((corner, index) => [corner, corners[(index + 1) % 4] as Place]),
  };
  return { board, parts };
}

function placeParts({ columns, rows, circuits, passives: count }: Params, random: Random): readonly Part[] {
  const kinds = [
    header,
    ...Array.from({ length: circuits }, () => circuit),
    ...Array.from({ length: count }, (_, index) => passives[index % 2] as Kind),
  ];
  const taken: { readonly at: Place; readonly kind: Kind }[] = [];
  const numbers = new Map<string, number>();
  return kinds.map((kind) => {
    const [across, down] = kind.room;
    for (let attempt = 0; attempt < 4000; attempt++) {
      const at: Place =
        kind === header
          ? [6, Math.round(rows / 2)]
          : [random.integer(across + 3, columns - across - 3), random.integer(down + 3, rows - down - 3)];
      const isFree = taken.every(
        (other) =>
          Math.abs(other.at[0] - at[0]) >= across + other.kind.room[0] ||
          Math.abs(other.at[1] - at[1]) >= down + other.kind.room[1],
      );
      if (!isFree) continue;
      taken.push({ at, kind });
      const number = (numbers.get(kind.prefix) ?? 0) + 1;
      numbers.set(kind.prefix, number);
      const place = [(at[0] + 100) * grid, (at[1] + 80) * grid].map((value) => Number(value.toFixed(4)));
      return { reference: `${kind.prefix}${number}`, kind, at: place as unknown as Place };
    }
    throw new Error(`no room for ${kind.name}: take a larger board`);
  });
}

/** Supply and ground by convention, all other pins in nets of two or three. */
function drawNets(parts: readonly Part[], random: Random): ReadonlyMap<string, string> {
  const nets = new Map<string, string>([
    ["J1.1", "VCC"],
    ["J1.2", "GND"],
  ]);
  for (const { reference, kind } of parts) {
    if (kind === circuit) nets.set(`${reference}.8`, "VCC").set(`${reference}.4`, "GND");
    if (reference.startsWith("C")) nets.set(`${reference}.2`, "GND");
  }
  const pins = random.shuffle(
    parts
      .flatMap(({ reference, kind }) => kind.pads.map((_, index) => `${reference}.${index + 1}`))
      .filter((pin) => !nets.has(pin)),
  );
  for (let number = 1; pins.length > 1; number++) {
    const size = pins.length === 3 || random.next() < 0.3 ? 3 : 2;
    for (const pin of pins.splice(0, size)) nets.set(pin, `N${number}`);
  }
  return nets;
}

function padsOf({ reference, kind, at: [x, y] }: Part, nets: ReadonlyMap<string, string>): readonly Pad[] {
  return kind.pads.map(({ at, size, drill }, index) => {
    const name = `${reference}.${index + 1}`;
    return {
      name,
      net: nets.get(name) ?? "",
      shape: drill > 0 ? "circle" : "rect",
      at: [Number((x + at[0] * grid).toFixed(4)), Number((y + at[1] * grid).toFixed(4))],
      size,
      angle: 0,
      roundness: 0,
      layers: drill > 0 ? copperLayers : ["F.Cu"],
      drill,
    };
  });
}
