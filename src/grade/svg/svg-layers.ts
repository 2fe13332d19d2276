import { findElements, type SvgElement, type SvgPath } from "./svg-tree.ts";

/** A layer as Inkscape marks it. */
export interface SvgLayer {
  readonly label: string;
  readonly path: SvgPath;
}

/** The layers of a drawing, from the lowest. */
export function svgLayers(root: SvgElement): readonly SvgLayer[] {
  return findElements(
    root,
    ({ name, attributes }) => name === "g" && attributes.get("groupmode") === "layer",
  ).map((path) => ({ label: path.at(-1)?.attributes.get("label") ?? "", path }));
}
