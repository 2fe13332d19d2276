import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";
import { drawPieces } from "./solve/draw-pieces.ts";
import { readBrief } from "./solve/read-brief.ts";

type Context = ProbeContext<Params>;

const files = ["poster.svg", "poster-print.svg", "poster.png"];

function edit({ output }: Context, name: string, change: (text: string) => string): void {
  const path = join(output, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** Changes the opening tag of the object with an id. */
function editObject(svg: string, id: string, change: (tag: string) => string): string {
  return svg.replace(new RegExp(`<[^<>]*\\sid="${id}"[^<>]*>`), change);
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content show nothing.",
    make: ({ output }) => {
      for (const name of files) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "only-the-logo",
    kind: "copied-input",
    expected: 0,
    because: "The partner's logo is no poster.",
    make({ input, output }) {
      for (const name of files) copyFileSync(join(input, "logo.svg"), join(output, name));
    },
  },
  {
    name: "empty-layers",
    kind: "format-only",
    expected: 0,
    because: "A page with the right layers and objects that are all alike is the form only.",
    make: (context) => {
      const size = `width="${context.params.width}mm" height="${context.params.height}mm"`;
      const { shapes } = readBrief(context.input, context.params);
      const boxes = shapes.map(({ id }) => `<rect id="${id}" width="40" height="40"/>`).join("");
      const layers = ["backdrop", "shapes", "logo", "text"].map(
        (label) =>
          `<g inkscape:groupmode="layer" inkscape:label="${label}">${label === "shapes" ? boxes : ""}</g>`,
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ${size} viewBox="0 0 297 420">${layers.join("")}</svg>`;
      for (const name of files) writeFileSync(join(context.output, name), svg);
    },
  },
  {
    name: "measures-as-pixels",
    kind: "unit-error",
    expected: 0,
    because: "A page of 297 pixels is not a page of 297 millimetres.",
    make: (context) =>
      edit(context, "poster.svg", (svg) => svg.replace(/(width|height)="([\d.]+)mm"/g, '$1="$2"')),
  },
  {
    name: "drawing-alone",
    kind: "near-miss",
    expected: [0.79, 0.81],
    because: "Print file and preview are a fifth of the work.",
    make({ output }) {
      for (const name of files.slice(1)) rmSync(join(output, name));
    },
  },
  {
    name: "text-not-outlined",
    kind: "near-miss",
    expected: [0.8, 0.95],
    because: "The drawing itself as print file still holds text and Inkscape's own things.",
    make: ({ output }) => copyFileSync(join(output, "poster.svg"), join(output, "poster-print.svg")),
  },
  {
    name: "pieces-not-cut",
    kind: "near-miss",
    expected: [0.7, 0.95],
    because: "Covering what should be cut out leaves five shapes that cover too much or too little.",
    make: (context) =>
      edit(context, "poster.svg", () =>
        drawPieces(
          readBrief(context.input, context.params),
          readFileSync(join(context.input, "logo.svg"), "utf8"),
        ),
      ),
  },
  {
    name: "sun-a-millimetre-off",
    kind: "off-tolerance",
    expected: [0.9, 0.99],
    because: "A sun one and a half millimetres to the right covers less than 97 %.",
    make: (context) =>
      edit(context, "poster.svg", (svg) =>
        editObject(svg, "sun", (tag) =>
          tag.replace(/cx="([\d.]+)"/, (_, x: string) => `cx="${Number(x) + 1.5}"`),
        ),
      ),
  },
  {
    name: "half-of-the-drawing",
    kind: "truncated",
    expected: 0,
    because: "A drawing cut off does not open.",
    make: (context) => edit(context, "poster.svg", (svg) => svg.slice(0, svg.length / 2)),
  },
  {
    name: "another-size-of-units",
    kind: "valid-alternative",
    expected: 1,
    because: "What the drawing's own units are, and that layers are moved and scaled, does not matter.",
    make: (context) => {
      const { width, height } = context.params;
      edit(context, "poster.svg", (svg) =>
        svg
          .replace(/viewBox="[^"]*"/, `viewBox="10 20 ${width * 2} ${height * 2}"`)
          .replace(/<g\s[^<>]*inkscape:groupmode="layer"/g, (tag) =>
            tag.replace("<g", '<g transform="translate(10,20) scale(2)"'),
          ),
      );
    },
  },
  {
    name: "presentation-attributes",
    kind: "valid-alternative",
    expected: 1,
    because: "Styles may be attributes, and other objects may have any names.",
    make: (context) =>
      edit(context, "poster.svg", (svg) =>
        svg
          .replace(/style="fill:(#[0-9a-f]{6});stroke:none"/g, 'fill="$1"')
          .replace(/id="layer-(\w+)"/g, 'id="g-$1"'),
      ),
  },
];
