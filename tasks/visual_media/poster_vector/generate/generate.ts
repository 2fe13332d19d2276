import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Figure, Joining, Shape } from "../poster/poster.ts";
import { draftLogo } from "./draft-logo.ts";
import { draftPoster } from "./draft-poster.ts";

/** Measures, copy and logo; the poster as data goes to the reference. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const poster = draftPoster(params, random.fork("poster"));
  const table = (rows: readonly (readonly (string | number)[])[]): string =>
    rows.map((row) => `${row.join(",")}\n`).join("");
  writeFileSync(
    join(input, "shapes.csv"),
    table([
      ["id", "layer", "fill", "construction"],
      ...poster.shapes.map((shape) => [shape.id, shape.layer, shape.fill, `"${construction(shape)}"`]),
    ]),
  );
  writeFileSync(
    join(input, "copy.csv"),
    table([
      ["id", "text", "size", "weight", "anchor", "x", "y", "fill"],
      ...poster.lines.map(({ id, text, size, weight, anchor, x, y, fill }) => [
        id,
        text,
        size,
        weight,
        anchor,
        x,
        y,
        fill,
      ]),
    ]),
  );
  writeFileSync(join(input, "logo.svg"), draftLogo(random.fork("logo")));
  writeFileSync(join(reference, "poster.json"), `${JSON.stringify(poster)}\n`);
}

const joinings: Readonly<Record<Joining, string>> = {
  alone: "",
  cut: "; cut out of it: ",
  join: "; joined with it: ",
  keep: "; kept of it only what also lies in: ",
};

/** A shape in words. */
function construction({ figures: [first, ...others], joining }: Shape): string {
  return figureInWords(first) + joinings[joining] + others.map(figureInWords).join(" and ");
}

function figureInWords(figure: Figure): string {
  switch (figure.kind) {
    case "circle":
      return `circle around (${figure.x} ${figure.y}) of radius ${figure.r}`;
    case "rectangle":
      return `rectangle from (${figure.x} ${figure.y}) of width ${figure.width} and height ${figure.height}`;
    case "polygon":
      return `polygon ${figure.points.map(([x, y]) => `(${x} ${y})`).join(" ")}`;
  }
}
