import { rules } from "../rules.ts";
import type { Scene } from "./read-scene.ts";

export interface IndexedScene {
  /** Undefined where the pixel is not valid. */
  ndviAt(column: number, row: number): number | undefined;
  /** Whether the grown cloud mask covers the pixel. */
  isCloud(column: number, row: number): boolean;
}

/** NDVI and masks of a scene; a pixel's cloud mask is looked up in its neighbourhood. */
export function indexScene(scene: Scene, dilation: number): IndexedScene {
  const { width, height, red, infrared, classes, offset } = scene;
  const clouds: readonly number[] = rules.cloudClasses;
  const invalid: readonly number[] = rules.invalidClasses;

  const isCloud = (column: number, row: number): boolean => {
    const [left, right] = [Math.max(0, column - dilation), Math.min(width - 1, column + dilation)];
    const [top, bottom] = [Math.max(0, row - dilation), Math.min(height - 1, row + dilation)];
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) if (clouds.includes(classes[y * width + x] as number)) return true;
    }
    return false;
  };
  return {
    isCloud,
    ndviAt(column, row) {
      const at = row * width + column;
      const [r, n] = [red[at] as number, infrared[at] as number];
      if (r === 0 || n === 0 || invalid.includes(classes[at] as number)) return undefined;
      const [visible, near] = [(r + offset) / 10_000, (n + offset) / 10_000];
      if (visible <= 0 || near <= 0 || isCloud(column, row)) return undefined;
      return (near - visible) / (near + visible);
    },
  };
}
