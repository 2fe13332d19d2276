import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Figure, Line, Poster, Shape } from "../poster/poster.ts";

type Random = GenerateContext<Params>["random"];

const palettes = [
  ["#14213d", "#22395b", "#fca311", "#e5e5e5", "#c1121f", "#588157", "#8ecae6"],
  ["#1b263b", "#33415c", "#ffb703", "#f1faee", "#e63946", "#2a9d8f", "#a8dadc"],
  ["#2b2d42", "#3d405b", "#f2cc8f", "#f4f1de", "#e07a5f", "#81b29a", "#bde0fe"],
] as const;

/** A poster by the seed: what stands where is drawn by lot, so that no two instances look alike. */
export function draftPoster(params: Params, random: Random): Poster {
  const { width, height } = params;
  const unit = width / 297;
  const mm = (value: number): number => Math.round(value * unit * 2) / 2;
  const [night, ground, sun, light, red, green, sky] = random.pick(palettes);
  const cells = random.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  let next = 0;
  const centre = (): readonly [number, number] => {
    const cell = cells[next++] as number;
    const x = 62 + 86 * (cell % 3) + random.integer(-4, 4);
    const y = 122 + 82 * Math.floor(cell / 3) + random.integer(-4, 4);
    return [mm(x), mm(y)];
  };
  const between = (low: number, high: number): number => mm(random.integer(low * 2, high * 2) / 2);
  const shapes: Shape[] = [
    {
      id: "night",
      layer: "backdrop",
      fill: night,
      joining: "alone",
      figures: [{ kind: "rectangle", x: -3, y: -3, width: width + 6, height: height + 6 }],
    },
    {
      id: "ground",
      layer: "backdrop",
      fill: ground,
      joining: "alone",
      figures: [groundOf(params, mm, random)],
    },
  ];
  const add = (id: string, fill: string, joining: Shape["joining"], figures: Shape["figures"]): void => {
    shapes.push({ id, layer: "shapes", fill, joining, figures });
  };

  const [sunX, sunY] = centre();
  const sunR = between(17, 22);
  add("sun", sun, "alone", [circle(sunX, sunY, sunR)]);
  add("halo", light, "cut", [circle(sunX, sunY, sunR + mm(15)), circle(sunX, sunY, sunR + mm(8))]);
  const [moonX, moonY] = centre();
  const moonR = between(28, 34);
  add("moon", light, "cut", [
    circle(moonX, moonY, moonR),
    circle(moonX + mm(13), moonY - between(5, 9), moonR - mm(4)),
  ]);
  const [lensX, lensY] = centre();
  const lensR = between(30, 36);
  add("lens", sky, "keep", [circle(lensX - mm(12), lensY, lensR), circle(lensX + mm(12), lensY, lensR)]);
  const [windowX, windowY] = centre();
  const [side, bar] = [between(28, 33), between(3, 5)];
  add("window", red, "cut", [
    rectangle(windowX - side, windowY - side, 2 * side, 2 * side),
    rectangle(windowX - bar, windowY - side + mm(8), 2 * bar, 2 * side - mm(16)),
    rectangle(windowX - side + mm(8), windowY - bar, 2 * side - mm(16), 2 * bar),
  ]);
  const [cloudX, cloudY] = centre();
  const puff = between(13, 16);
  add("cloud", sky, "join", [
    rectangle(cloudX - mm(22), cloudY, mm(44), puff),
    circle(cloudX - mm(22), cloudY, puff),
    circle(cloudX + mm(4), cloudY - mm(7), puff + mm(4)),
    circle(cloudX + mm(22), cloudY, puff),
  ]);
  const [starX, starY] = centre();
  add("star", green, "alone", [
    star(starX, starY, between(31, 36), between(17, 21), params.points, random.integer(3, 17)),
  ]);
  const [from, to, lampY] = [mm(30), width - mm(30), mm(random.integer(336, 342))];
  for (let lamp = 0; lamp < 5; lamp++) {
    add(`lamp-${lamp + 1}`, lamp % 2 === 0 ? sun : red, "alone", [
      circle(round(from + ((to - from) * lamp) / 4), lampY, mm(7)),
    ]);
  }
  return {
    width,
    height,
    shapes,
    lines: linesOf(params, mm, random, light, sun),
    logoBox: logoBoxOf(params),
  };
}

/** Stands in the instruction too, by the parameter of the manifest. */
function logoBoxOf({ logo_box }: Params): Poster["logoBox"] {
  return logo_box.split(/,\s*/).map(Number) as unknown as Poster["logoBox"];
}

function groundOf({ width, height }: Params, mm: (value: number) => number, random: Random): Figure {
  const left = height - mm(random.integer(66, 70));
  const right = height - mm(random.integer(50, 60));
  return {
    kind: "polygon",
    points: [
      [-3, left],
      [width + 3, right],
      [width + 3, height + 3],
      [-3, height + 3],
    ],
  };
}

function linesOf(
  { title, place, date, width, height }: Params,
  mm: (value: number) => number,
  random: Random,
  light: string,
  accent: string,
): readonly Line[] {
  const size = mm(random.integer(50, 58) / 2);
  const small = mm(random.integer(12, 14) / 2);
  const price = `Tickets ${random.integer(9, 24)} at the door`;
  const hour = `Doors open at ${random.integer(5, 8)} pm`;
  return [
    {
      id: "title",
      text: title,
      size,
      weight: "bold",
      anchor: "middle",
      x: width / 2,
      y: mm(48),
      fill: light,
    },
    {
      id: "date",
      text: date,
      size: small * 2,
      weight: "normal",
      anchor: "middle",
      x: width / 2,
      y: mm(70),
      fill: accent,
    },
    {
      id: "place",
      text: place,
      size: small * 2,
      weight: "bold",
      anchor: "start",
      x: mm(20),
      y: height - mm(34),
      fill: light,
    },
    {
      id: "hour",
      text: hour,
      size: small,
      weight: "normal",
      anchor: "start",
      x: mm(20),
      y: height - mm(22),
      fill: light,
    },
    {
      id: "price",
      text: price,
      size: small,
      weight: "normal",
      anchor: "start",
      x: mm(20),
      y: height - mm(11),
      fill: accent,
    },
  ];
}

function circle(x: number, y: number, r: number): Figure {
  return { kind: "circle", x, y, r };
}

function rectangle(x: number, y: number, width: number, height: number): Figure {
  return { kind: "rectangle", x, y, width, height };
}

/** The first point is turned clockwise from the top by `turn` degrees. */
function star(x: number, y: number, outer: number, inner: number, points: number, turn: number): Figure {
  const corners = Array.from({ length: 2 * points }, (_, index) => {
    const angle = ((turn + (180 * index) / points) * Math.PI) / 180;
    const r = index % 2 === 0 ? outer : inner;
    return [round(x + r * Math.sin(angle)), round(y - r * Math.cos(angle))] as const;
  });
  return { kind: "polygon", points: corners };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
