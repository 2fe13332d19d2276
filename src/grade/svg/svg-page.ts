import { bad, ok, type Read } from "../rubric/read.ts";
import { lengthInMillimetres } from "./svg-length.ts";
import type { SvgElement } from "./svg-tree.ts";

/** The page of a document, and how its own units lie on it. */
export interface SvgPage {
  /** In millimetres. */
  readonly width: number;
  readonly height: number;
  /** User units at the page's upper left corner. */
  readonly left: number;
  readonly top: number;
  /** Millimetres in a user unit, along and down the page. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** The page by `width`, `height` and `viewBox`; bad without an absolute size. */
export function readSvgPage(root: SvgElement, name: string): Read<SvgPage> {
  const [width, height] = ["width", "height"].map((side) =>
    lengthInMillimetres(root.attributes.get(side) ?? ""),
  );
  if (width === undefined || height === undefined || !(width > 0 && height > 0 && width + height < 20_000)) {
    return bad(`${name} states no width and height of its page.`);
  }
  const pixel = lengthInMillimetres("1px") as number;
  const box = root.attributes
    .get("viewBox")
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [left = 0, top = 0, across = width / pixel, down = height / pixel] = box ?? [];
  if (![left, top, across, down].every(Number.isFinite) || across <= 0 || down <= 0) {
    return bad(`${name} has a viewBox that is none.`);
  }
  return ok({ width, height, left, top, scaleX: width / across, scaleY: height / down });
}
