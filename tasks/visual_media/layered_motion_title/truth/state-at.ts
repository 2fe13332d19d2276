import { type Animated, frameOf, type Layer } from "../cue-sheet.ts";
import { ease } from "./ease.ts";

/** A layer at one moment. */
export interface LayerState {
  readonly isThere: boolean;
  readonly x: number;
  readonly y: number;
  readonly opacity: number;
  readonly scale: number;
}

/** Whether the keys' easings are heeded, or every way is gone at an even pace. */
export type Pace = "eased" | "linear";

export function valueAt(animated: Animated, frame: number, pace: Pace = "eased"): number {
  if (typeof animated === "number") return animated;
  const next = animated.findIndex(({ at }) => frame < frameOf(at));
  const to = animated[next];
  const from = animated[next - 1];
  if (to === undefined) return animated.at(-1)?.value ?? 0;
  if (from === undefined) return to.value;
  const start = frameOf(from.at);
  const u = (frame - start) / (frameOf(to.at) - start);
  const done = pace === "linear" ? u : ease(to.ease ?? "linear", u);
  return from.value + (to.value - from.value) * done;
}

/** @param frame of the shot, from 0. */
export function stateAt(layer: Layer, frame: number, pace: Pace = "eased"): LayerState {
  return {
    isThere: frame >= frameOf(layer.in) && frame < frameOf(layer.out),
    x: valueAt(layer.x, frame, pace),
    y: valueAt(layer.y, frame, pace),
    opacity: valueAt(layer.opacity, frame, pace),
    scale: layer.kind === "image" ? valueAt(layer.scale, frame, pace) : 1,
  };
}
