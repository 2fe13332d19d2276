import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Params } from "../params.ts";
import type { Figure, Joining, Line, Poster, Shape } from "../poster/poster.ts";

type Row = Readonly<Record<string, string>>;

/** The brief as the agent finds it. */
export function readBrief(input: string, { width, height, logo_box }: Params): Poster {
  const rows = (name: string): Row[] => parse(readFileSync(join(input, name)), { columns: true }) as Row[];
  return {
    width,
    height,
    shapes: rows("shapes.csv").map(readShape),
    lines: rows("copy.csv").map(
      (row) =>
        ({ ...row, size: Number(row["size"]), x: Number(row["x"]), y: Number(row["y"]) }) as unknown as Line,
    ),
    logoBox: logo_box.split(",").map(Number) as unknown as Poster["logoBox"],
  };
}

const words: readonly (readonly [RegExp, Joining])[] = [
  [/; cut out of it: /, "cut"],
  [/; joined with it: /, "join"],
  [/; kept of it only what also lies in: /, "keep"],
];

function readShape({ id = "", layer, fill = "", construction = "" }: Row): Shape {
  const joined = words.find(([pattern]) => pattern.test(construction));
  const [first = "", others = ""] = joined === undefined ? [construction] : construction.split(joined[0]);
  const rest = others === "" ? [] : others.split(" and ").reduce(glue, []);
  return {
    id,
    layer: layer as Shape["layer"],
    fill,
    joining: joined?.[1] ?? "alone",
    figures: [readFigure(first), ...rest.map(readFigure)],
  };
}

/** The "and" between width and height joins no figures. */
function glue(parts: readonly string[], part: string): string[] {
  return part.startsWith("height")
    ? [...parts.slice(0, -1), `${parts.at(-1)} and ${part}`]
    : [...parts, part];
}

function readFigure(text: string): Figure {
  const numbers = (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number) as [number, number, number, number];
  const [x, y, size, height] = numbers;
  if (text.startsWith("circle")) return { kind: "circle", x, y, r: size };
  if (text.startsWith("rectangle")) return { kind: "rectangle", x, y, width: size, height };
  const points = Array.from({ length: numbers.length / 2 }, (_, index) =>
    numbers.slice(2 * index, 2 * index + 2),
  );
  return { kind: "polygon", points: points as unknown as readonly (readonly [number, number])[] };
}
