import { AleError } from "../../contract/ale-error.ts";
import type { Screen, ScreenPoint } from "../screen.ts";

/** Throws `screen-point` for a point that is not on the screen. */
export function checkPoint({ x, y }: ScreenPoint, { width, height }: Pick<Screen, "width" | "height">): void {
  if (x >= 0 && y >= 0 && x < width && y < height) return;
  throw new AleError({
    code: "screen-point",
    message: `The point ${x},${y} is not on the screen of ${width}×${height}.`,
  });
}
