import { height, width } from "../cue-sheet.ts";
import type { FrameView } from "./frame-view.ts";

export interface PlateLook {
  /** Nearer to its own moment of the plate than to those before and after. */
  readonly isOnTime: boolean;
  /** Mean absolute difference of a channel, of 255. */
  readonly error: number;
}

/** Each that many pixels, both ways, one is looked at. */
const step = 3;

/** Looks at the plate where no layer is, nor a few pixels away. */
export function judgePlate(view: FrameView): PlateLook {
  const clear = clearPixels(view);
  const error = (frame: number): number => {
    const plate = view.shot.plateAt(frame);
    let sum = 0;
    for (const pixel of clear) {
      for (let at = pixel * 3; at < pixel * 3 + 3; at++)
        sum += Math.abs((view.picture[at] ?? 0) - (plate[at] ?? 0));
    }
    return sum / (clear.length * 3);
  };
  const now = error(view.index);
  return { isOnTime: [-1, 1].every((later) => now < error(view.index + later)), error: now };
}

function clearPixels({ shot, index }: FrameView): readonly number[] {
  const patches = shot.layers.map((layer) => shot.patch(layer, index)).filter((patch) => patch !== undefined);
  const margin = 4;
  const pixels: number[] = [];
  for (let row = 0; row < height; row += step) {
    for (let column = 0; column < width; column += step) {
      const isCovered = patches.some(
        (patch) =>
          column >= patch.left - margin &&
          column < patch.left + patch.width + margin &&
          row >= patch.top - margin &&
          row < patch.top + patch.height + margin,
      );
      if (!isCovered) pixels.push(row * width + column);
    }
  }
  return pixels;
}
