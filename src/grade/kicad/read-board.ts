import { bad, ok, type Read } from "../rubric/read.ts";
import { type Board, copperLayers, type Pad, type Place, type Track } from "./board.ts";
import { type Expression, listOf, listsOf, numbersOf, parseSExpression } from "./parse-s-expression.ts";

const shapes: ReadonlySet<string> = new Set(["rect", "roundrect", "circle", "oval"]);

/**
 * Reads a `.kicad_pcb` file of KiCad 6 to 8: nets, pads where they lie on the board, tracks, vias, poured zones, outline.
 * Bad when it is none, has a pad of a custom shape, a coordinate that is no number, or more than 50,000 tracks and vias.
 */
export function readBoard(text: string, name: string): Read<Board> {
  const parsed = parseSExpression(text, name);
  if (parsed.kind === "bad") return parsed;
  const root = parsed.value;
  if (root.name !== "kicad_pcb") return bad(`${name} is not a board of KiCad.`);
  const names = new Map(listsOf(root, "net").map(({ values }) => [values[0] ?? "", values[1] ?? ""]));
  const netOf = (list: Expression): string => {
    const [number = "", own] = listOf(list, "net")?.values ?? [];
    return own ?? names.get(number) ?? number;
  };
  const tracks = [...listsOf(root, "segment"), ...listsOf(root, "arc")];
  const vias = listsOf(root, "via");
  if (tracks.length + vias.length > 50_000) return bad(`${name} has more than 50000 tracks and vias.`);
  const footprints = listsOf(root, "footprint");
  const board: Board = {
    nets: [...names.values()].filter((net) => net !== ""),
    pads: footprints.flatMap((footprint) => padsOf(footprint, netOf)),
    footprints: new Map(
      footprints.map((footprint) => {
        const [x = Number.NaN, y = Number.NaN, angle = 0] = numbersOf(footprint, "at");
        return [referenceOf(footprint), `${x} ${y} ${angle} ${listOf(footprint, "layer")?.values[0]}`];
      }),
    ),
    tracks: tracks.map((track) => ({
      net: netOf(track),
      layer: listOf(track, "layer")?.values[0] ?? "",
      width: numbersOf(track, "width")[0] ?? Number.NaN,
      points: pointsOf(track),
    })),
    vias: vias.map((via) => ({
      net: netOf(via),
      at: placeOf(via, "at"),
      diameter: numbersOf(via, "size")[0] ?? Number.NaN,
      drill: numbersOf(via, "drill")[0] ?? Number.NaN,
    })),
    pours: listsOf(root, "zone").flatMap((zone) =>
      listsOf(zone, "filled_polygon").map((polygon) => ({
        net: listOf(zone, "net_name")?.values[0] ?? netOf(zone),
        layer: listOf(polygon, "layer")?.values[0] ?? listOf(zone, "layer")?.values[0] ?? "",
        outline: listsOf(listOf(polygon, "pts") ?? polygon, "xy").map(
          ({ values }) => values.map(Number) as unknown as Place,
        ),
      })),
    ),
    edges: [...listsOf(root, "gr_line"), ...listsOf(root, "gr_rect")]
      .filter((line) => listOf(line, "layer")?.values[0] === "Edge.Cuts")
      .flatMap(edgesOf),
  };
  return problemOf(board, name) ?? ok(board);
}

function padsOf(footprint: Expression, netOf: (list: Expression) => string): readonly Pad[] {
  const [x = Number.NaN, y = Number.NaN, turn = 0] = numbersOf(footprint, "at");
  const reference = referenceOf(footprint);
  return listsOf(footprint, "pad").map((pad) => {
    const [number = "", , shape = ""] = pad.values;
    const [dx = Number.NaN, dy = Number.NaN, angle = 0] = numbersOf(pad, "at");
    const [width = Number.NaN, height = width] = numbersOf(pad, "size");
    const [across, down] = rotated([dx, dy], turn);
    const layers = listOf(pad, "layers")?.values ?? [];
    return {
      name: `${reference}.${number}`,
      net: netOf(pad),
      shape: shape as Pad["shape"],
      at: [x + across, y + down],
      size: [width, height],
      angle,
      roundness: numbersOf(pad, "roundrect_rratio")[0] ?? 0.25,
      layers: copperLayers.filter((layer) => layers.includes(layer) || layers.includes("*.Cu")),
      drill: numbersOf(pad, "drill")[0] ?? 0,
    };
  });
}

/** KiCad 6 and 7 write the reference as `fp_text reference`, 8 as a property. */
function referenceOf(footprint: Expression): string {
  const text = listsOf(footprint, "fp_text").find(({ values }) => values[0] === "reference");
  const property = listsOf(footprint, "property").find(({ values }) => values[0] === "Reference");
  return text?.values[1] ?? property?.values[1] ?? "";
}

/** Turned counter-clockwise on the screen, where y runs down. */
export function rotated([x, y]: Place, degrees: number): Place {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos + y * sin, y * cos - x * sin];
}

function pointsOf(track: Expression): Track["points"] {
  const [start, end] = [placeOf(track, "start"), placeOf(track, "end")];
  return track.name === "arc" ? arcPoints(start, placeOf(track, "mid"), end) : [start, end];
}

function edgesOf(line: Expression): readonly (readonly [Place, Place])[] {
  const [start, end] = [placeOf(line, "start"), placeOf(line, "end")];
  if (line.name === "gr_line") return [[start, end]];
  const corners: readonly Place[] = [start, [end[0], start[1]], end, [start[0], end[1]]];
  return corners.map((corner, index) => [corner, corners[(index + 1) % 4] as Place]);
}

/** A polyline along the circle through three places, in sixteen steps. */
function arcPoints(start: Place, middle: Place, end: Place): readonly Place[] {
  const [ax, ay] = start;
  const [bx, by] = [middle[0] - ax, middle[1] - ay];
  const [cx, cy] = [end[0] - ax, end[1] - ay];
  const twice = 2 * (bx * cy - by * cx);
  if (Math.abs(twice) < 1e-9) return [start, middle, end];
  const [b, c] = [bx * bx + by * by, cx * cx + cy * cy];
  const [ox, oy] = [ax + (cy * b - by * c) / twice, ay + (bx * c - cx * b) / twice];
  const radius = Math.hypot(ax - ox, ay - oy);
  const [from, via, to] = [start, middle, end].map(([x, y]) => Math.atan2(y - oy, x - ox)) as [
    number,
    number,
    number,
  ];
  const forward = (angle: number): number => (((angle - from) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
  const span = forward(via) <= forward(to) ? forward(to) : forward(to) - 2 * Math.PI;
  return Array.from({ length: 17 }, (_, step) => {
    const angle = from + (span * step) / 16;
    return [ox + radius * Math.cos(angle), oy + radius * Math.sin(angle)];
  });
}

function placeOf(list: Expression, name: string): Place {
  const [x = Number.NaN, y = Number.NaN] = numbersOf(list, name);
  return [x, y];
}

function problemOf(board: Board, name: string): Read<never> | undefined {
  const odd = board.pads.find(({ shape }) => !shapes.has(shape));
  if (odd !== undefined)
    return bad(`${name} has a pad of a shape that is not taken: ${odd.name.slice(0, 20)}.`);
  const numbers = [
    ...board.pads.flatMap(({ at, size, angle, drill }) => [...at, ...size, angle, drill]),
    ...board.tracks.flatMap(({ points, width }) => [...points.flat(), width]),
    ...board.vias.flatMap(({ at, diameter, drill }) => [...at, diameter, drill]),
    ...board.pours.flatMap(({ outline }) => outline.flat()),
    ...board.edges.flat(2),
  ];
  return numbers.every(Number.isFinite) ? undefined : bad(`${name} holds a coordinate that is no number.`);
}
