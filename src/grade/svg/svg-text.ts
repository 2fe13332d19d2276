import type { SvgPage } from "./svg-page.ts";
import { inheritedProperty } from "./svg-style.ts";
import { applyMatrix, matrixTo } from "./svg-transform.ts";
import { findElements, type SvgElement, type SvgPath } from "./svg-tree.ts";

/** A line of text as it lies on the page. */
export interface SvgText {
  /** White space evened out. */
  readonly content: string;
  /** Of the anchor on the base line, in millimetres from the page's upper left corner. */
  readonly x: number;
  readonly y: number;
  /** In millimetres. */
  readonly size: number;
  readonly anchor: "start" | "middle" | "end";
  /** The first family asked for, without quotation marks. */
  readonly family: string;
  readonly bold: boolean;
  /** Degrees clockwise. */
  readonly angle: number;
  /** As written, e.g. `#1b263b`. */
  readonly fill: string;
}

/** A `text` element of one line, with its `tspan`s, read by what they state themselves or inherit. */
export function readSvgText(path: SvgPath, page: SvgPage): SvgText {
  const innermost = descend(path);
  const property = (name: string): string | undefined => inheritedProperty(innermost, name);
  const coordinate = (name: "x" | "y"): number => {
    const stated = [...innermost].reverse().find((element) => element.attributes.has(name));
    return Number.parseFloat(stated?.attributes.get(name) ?? "0");
  };
  const matrix = matrixTo(path);
  const [x, y] = applyMatrix(matrix, coordinate("x"), coordinate("y"));
  const [a, b, c, d] = matrix;
  const anchor = property("text-anchor");
  const weight = property("font-weight") ?? "normal";
  return {
    content: (path.at(-1)?.text ?? "").replace(/\s+/g, " ").trim(),
    x: (x - page.left) * page.scaleX,
    y: (y - page.top) * page.scaleY,
    size: Number.parseFloat(property("font-size") ?? "0") * Math.hypot(c, d) * page.scaleY,
    anchor: anchor === "middle" || anchor === "end" ? anchor : "start",
    family:
      (property("font-family") ?? "")
        .split(",")[0]
        ?.trim()
        .replace(/^["']|["']$/g, "") ?? "",
    bold: weight === "bold" || weight === "bolder" || Number(weight) >= 600,
    angle: (Math.atan2(b, a) * 180) / Math.PI,
    fill: (property("fill") ?? "#000000").toLowerCase(),
  };
}

/** Down to the first `tspan` of the first `tspan`. */
function descend(path: SvgPath): SvgPath {
  const next = path.at(-1)?.children.find((child: SvgElement) => child.name === "tspan");
  return next === undefined ? path : descend([...path, next]);
}

/** The `text` elements of a drawing. */
export function svgTexts(root: SvgElement): readonly SvgPath[] {
  return findElements(root, (element) => element.name === "text");
}
