import type { Layer } from "../cue-sheet.ts";
import { logoSide } from "../logo.ts";
import { boxAround } from "../truth/box.ts";
import type { Deviation } from "../truth/shot.ts";
import { type LayerState, stateAt } from "../truth/state-at.ts";
import type { FrameView } from "./frame-view.ts";

/** Two states closer than this, in pixels and in opacity, are not told apart: a renderer may be a pixel off. */
const apart = { pixels: 2.5, opacity: 0.08 };

/** A state of a layer without the layer. */
export function absent(state: LayerState): LayerState {
  return { ...state, isThere: false };
}

function isSeen({ isThere, opacity }: LayerState): boolean {
  return isThere && opacity >= 0.1;
}

/**
 * What of another state can be told from this one: place and size, opacity, or both; the rest is made the same. Undefined when it
 * is neither.
 */
function farFrom(now: LayerState, other: LayerState): LayerState | undefined {
  if (!isSeen(now) || !isSeen(other)) return isSeen(now) === isSeen(other) ? undefined : other;
  const pixels = Math.max(
    Math.abs(now.x - other.x),
    Math.abs(now.y - other.y),
    Math.abs(now.scale - other.scale) * (logoSide / 2),
  );
  const isMoved = pixels >= apart.pixels;
  const isFaded = Math.abs(now.opacity - other.opacity) >= apart.opacity;
  if (!isMoved && !isFaded) return undefined;
  const { x, y, scale } = isMoved ? other : now;
  return { isThere: true, x, y, scale, opacity: isFaded ? other.opacity : now.opacity };
}

/** Whether the frame is nearer to the truth than to a deviation of one layer; undefined where they look alike. */
export function tell(view: FrameView, layer: Layer, deviation: Deviation): boolean | undefined {
  const { shot, index } = view;
  const box = boxAround([shot.patch(layer, index), shot.patch(layer, index, deviation)], 2);
  return box === undefined ? undefined : view.isTrueTo(box, deviation);
}

/** Whether a frame is nearer to the truth than to a picture without the layer; undefined where those look alike. */
export function isPresent(view: FrameView, layer: Layer): boolean | undefined {
  return tell(view, layer, { states: { [layer.id]: absent(stateAt(layer, view.index)) } });
}

/**
 * Whether a layer is where it should be at its moment: nearer there than where it is a frame earlier or later and than where an even
 * pace would have it, and seen at all. Undefined in frames in which it cannot be told from the frame before or after.
 */
export function judgeMotion(view: FrameView, layer: Layer): boolean | undefined {
  const now = stateAt(layer, view.index);
  const ask = (other: LayerState): boolean | undefined => {
    const far = farFrom(now, other);
    return far === undefined ? undefined : tell(view, layer, { states: { [layer.id]: far } });
  };
  const neighbours = [-1, 1].map((later) => ask(stateAt(layer, view.index + later)));
  if (neighbours.every((answer) => answer === undefined)) return undefined;
  const answers = [...neighbours, ask(stateAt(layer, view.index, "linear"))];
  return !answers.includes(false) && !(isSeen(now) && isPresent(view, layer) === false);
}
