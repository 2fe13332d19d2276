import { fittedSize, type PictureSize } from "../../sandbox/frame/fitted-size.ts";
import type { ScreenPoint, ScreenRegion } from "../../sandbox/screen.ts";

/** How places are told: pixels of the pictures the model is sent, or thousandths of the screen's sides. */
export type Coordinates = "pixels" | "thousandths";

/** Between the places a model speaks of and those of the screen. */
export interface ScreenSpace {
  readonly coordinates: Coordinates;
  /** What the model takes for the screen's size. */
  readonly size: PictureSize;
  toScreen(point: ScreenPoint): ScreenPoint;
  regionToScreen(region: ScreenRegion): ScreenRegion;
  fromScreen(point: ScreenPoint): ScreenPoint;
}

/** @param fit the largest picture the model is sent; without it, the screen's size. */
export function screenSpace(
  screen: PictureSize,
  options: { readonly coordinates: Coordinates; readonly fit?: PictureSize },
): ScreenSpace {
  const { coordinates, fit } = options;
  const size = coordinates === "pixels" ? fittedSize(screen, fit) : { width: 1000, height: 1000 };
  const scaleX = screen.width / size.width;
  const scaleY = screen.height / size.height;
  // The far edge itself, 1000 of 1000, is taken for the last pixel; further out is left for the screen to refuse.
  const place = (value: number, scale: number, side: number): number => {
    // The middle of the screen's pixels that one place of the model's covers.
    const pixel = Math.floor(value * scale + Math.max(0, (scale - 1) / 2));
    return pixel === side || (value * scale <= side && pixel > side) ? side - 1 : pixel;
  };
  const toScreen = ({ x, y }: ScreenPoint): ScreenPoint => ({
    x: place(x, scaleX, screen.width),
    y: place(y, scaleY, screen.height),
  });
  return {
    coordinates,
    size,
    toScreen,
    regionToScreen({ x, y, width, height }) {
      const left = Math.floor(x * scaleX);
      const top = Math.floor(y * scaleY);
      return {
        x: left,
        y: top,
        width: Math.min(screen.width, Math.ceil((x + width) * scaleX)) - left,
        height: Math.min(screen.height, Math.ceil((y + height) * scaleY)) - top,
      };
    },
    fromScreen: ({ x, y }) => ({ x: Math.round(x / scaleX), y: Math.round(y / scaleY) }),
  };
}
