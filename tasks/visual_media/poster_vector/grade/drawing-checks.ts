import type { RasterImage } from "ale/grade/image/load-image";
import type { Outcome } from "ale/grade/outcome";
import { sequenceSimilarity } from "ale/grade/sequence/sequence-similarity";
import { renderSvg } from "ale/grade/svg/render-svg";
import { shapeAgreement } from "ale/grade/svg/shape-agreement";
import { svgLayers } from "ale/grade/svg/svg-layers";
import type { SvgPage } from "ale/grade/svg/svg-page";
import { readSvgText } from "ale/grade/svg/svg-text";
import { allElements, findById, type SvgElement, type SvgPath } from "ale/grade/svg/svg-tree";
import { colourOf, coverOf, type Line, layers, type Poster, type Shape } from "../poster/poster.ts";

/** Pixels per millimetre at which shapes are looked at, and how far beyond the page. */
const fineness = 3;
const logoFineness = 10;
const margin = 10;
const neededOverlap = 0.97;

const simple = new Set(["path", "rect", "circle", "ellipse", "polygon"]);

/** Share of the shapes that cover what they should, in their colour. */
export async function judgeShapes(root: SvgElement, page: SvgPage, poster: Poster): Promise<Outcome> {
  const wrong: string[] = [];
  for (const shape of poster.shapes) {
    const why = await faultOf(root, page, shape);
    if (why !== undefined) wrong.push(`${shape.id}: ${why}`);
  }
  const count = poster.shapes.length;
  return {
    score: (count - wrong.length) / count,
    message: `${count - wrong.length} of ${count} shapes are right.`,
    evidence: wrong,
  };
}

async function faultOf(root: SvgElement, page: SvgPage, shape: Shape): Promise<string | undefined> {
  const [path, ...more] = findById(root, shape.id);
  if (path === undefined) return "is missing";
  if (more.length > 0) return "its id stands more than once";
  const name = path.at(-1)?.name ?? "";
  if (!(shape.joining === "alone" ? simple.has(name) : name === "path")) return `is a <${name}>`;
  if (
    path.some((element) =>
      /clip-path|mask/.test([...element.attributes.keys()].join() + element.attributes.get("style")),
    )
  ) {
    return "is clipped or masked";
  }
  const whole: Window = [-margin, -margin, page.width + 2 * margin, page.height + 2 * margin];
  const drawn = await drawPart(root, page, path, whole, fineness);
  if (typeof drawn === "string") return drawn;
  const covers = coverOf(shape);
  const { overlap, coloured } = shapeAgreement(
    drawn,
    (column, row) => covers((column + 0.5) / fineness - margin, (row + 0.5) / fineness - margin),
    colourOf(shape.fill),
  );
  if (overlap < neededOverlap) return `covers what it should by ${Math.floor(overlap * 1000) / 10} %`;
  return coloured < neededOverlap ? "has another colour" : undefined;
}

/** A part of the page: left and top corner, width and height, in millimetres. */
type Window = readonly [left: number, top: number, width: number, height: number];

async function drawPart(
  root: SvgElement,
  page: SvgPage,
  only: SvgPath,
  [left, top, width, height]: Window,
  fine: number,
): Promise<RasterImage | string> {
  const drawn = await renderSvg(root, {
    width: Math.round(width * fine),
    only,
    window: [
      page.left + left / page.scaleX,
      page.top + top / page.scaleY,
      width / page.scaleX,
      height / page.scaleY,
    ],
  });
  return drawn.kind === "bad" ? drawn.outcome.message : drawn.value;
}

/** Layers, and what stands in them, in order. */
export function judgeLayers(root: SvgElement, poster: Poster): Outcome {
  const found = svgLayers(root);
  const wanted = [
    ...poster.shapes.map(({ id, layer }) => `${layer}/${id}`),
    "logo/logo",
    ...poster.lines.map(({ id }) => `text/${id}`),
  ];
  const ids = new Set(wanted.map((name) => name.split("/")[1]));
  const placed = found.flatMap(({ label, path }) =>
    [...allElements(path.at(-1) as SvgElement)].flatMap(({ attributes }) => {
      const id = attributes.get("id") ?? "";
      return ids.has(id) ? [`${label}/${id}`] : [];
    }),
  );
  const order = sequenceSimilarity(placed, wanted);
  const labels = found.map(({ label }) => label);
  if (labels.join() === layers.join()) return order;
  return {
    score: order.score / 2,
    message: `The layers are ${
      labels
        .slice(0, 8)
        .map((label) => `"${label.slice(0, 20)}"`)
        .join(", ") || "none"
    }: half of the credit. ${order.message}`,
  };
}

/** Share of the lines of text that are as listed. */
export function judgeText(root: SvgElement, page: SvgPage, poster: Poster): Outcome {
  const wrong = poster.lines.flatMap((line) => {
    const [path, ...more] = findById(root, line.id);
    if (path === undefined || more.length > 0) return [`${line.id}: is not there once`];
    if (path.at(-1)?.name !== "text") return [`${line.id}: is no text object`];
    const faults = textFaults(path, page, line);
    return faults.length === 0 ? [] : [`${line.id}: ${faults.join(", ")}`];
  });
  const count = poster.lines.length;
  return {
    score: (count - wrong.length) / count,
    message: `${count - wrong.length} of ${count} lines of text are as listed.`,
    evidence: wrong,
  };
}

function textFaults(path: SvgPath, page: SvgPage, line: Line): readonly string[] {
  const text = readSvgText(path, page);
  const near = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by;
  const tests: readonly (readonly [string, boolean])[] = [
    ["content", text.content === line.text],
    ["font", text.family.toLowerCase() === "dejavu sans"],
    ["weight", text.bold === (line.weight === "bold")],
    ["size", near(text.size, line.size, line.size * 0.01)],
    ["anchor", text.anchor === line.anchor],
    ["place", near(text.x, line.x, 0.3) && near(text.y, line.y, 0.3)],
    ["angle", near(text.angle, 0, 0.2)],
    ["fill", text.fill === line.fill],
  ];
  return tests.filter(([, holds]) => !holds).map(([name]) => name);
}

/** Whether the logo, drawn alone, is its file drawn in the box. */
export async function judgeLogo(
  root: SvgElement,
  page: SvgPage,
  logo: RasterImage,
  [x, y, width, height]: Poster["logoBox"],
): Promise<Outcome> {
  const [path, ...more] = findById(root, "logo");
  if (path === undefined || more.length > 0)
    return { score: 0, message: "There is no one object with the ID logo." };
  if (path.at(-1)?.name !== "g") return { score: 0, message: "The logo is no group." };
  const around: Window = [x - margin, y - margin, width + 2 * margin, height + 2 * margin];
  const drawn = await drawPart(root, page, path, around, logoFineness);
  if (typeof drawn === "string") return { score: 0, message: drawn };
  let [both, either, right] = [0, 0, 0];
  const scale = logo.width / width;
  for (let row = 0, at = 0; row < drawn.height; row++) {
    for (let column = 0; column < drawn.width; column++, at += 4) {
      const across = Math.floor(((column + 0.5) / logoFineness - margin) * scale);
      const down = Math.floor(((row + 0.5) / logoFineness - margin) * scale);
      const isInside = across >= 0 && down >= 0 && across < logo.width && down < logo.height;
      const from = isInside ? 4 * (down * logo.width + across) : -1;
      const isMeant = from >= 0 && (logo.data[from + 3] as number) >= 128;
      const isDrawn = (drawn.data[at + 3] as number) >= 128;
      if (isDrawn || isMeant) either++;
      if (!(isDrawn && isMeant)) continue;
      both++;
      if (
        [0, 1, 2].every(
          (channel) =>
            Math.abs((drawn.data[at + channel] as number) - (logo.data[from + channel] as number)) <= 6,
        )
      ) {
        right++;
      }
    }
  }
  const [overlap, coloured] = either === 0 ? [0, 0] : [both / either, right / either];
  const isRight = overlap >= neededOverlap && coloured >= neededOverlap - 0.03;
  return {
    score: isRight ? 1 : 0,
    message: `The logo covers what it should by ${Math.floor(overlap * 1000) / 10} %, in its colours by ${Math.floor(coloured * 1000) / 10} %.`,
  };
}
