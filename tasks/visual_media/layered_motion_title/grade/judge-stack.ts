import type { Layer } from "../cue-sheet.ts";
import { boxAround } from "../truth/box.ts";
import type { FrameView } from "./frame-view.ts";
import { isPresent } from "./judge-motion.ts";

/** Whether, of two layers, the one in front is in front; undefined where their order makes no difference. */
export function judgeOrder(view: FrameView, back: Layer, front: Layer): boolean | undefined {
  const { shot, index } = view;
  const [one, other] = [shot.patch(back, index), shot.patch(front, index)];
  if (one === undefined || other === undefined) return undefined;
  const left = Math.max(one.left, other.left);
  const top = Math.max(one.top, other.top);
  const width = Math.min(one.left + one.width, other.left + other.width) - left;
  const height = Math.min(one.top + one.height, other.top + other.height) - top;
  const box = width > 0 && height > 0 ? boxAround([{ left, top, width, height }], 1) : undefined;
  const swapped = { swapped: [back.id, front.id] as const };
  const isTrue = box === undefined ? undefined : view.isTrueTo(box, swapped);
  return isTrue && isPresent(view, back) !== false && isPresent(view, front) !== false;
}

/** Whether a layer's matte is heeded; undefined where it hides nothing. */
export function judgeMatte(view: FrameView, layer: Layer): boolean | undefined {
  if (!("matte" in layer)) return undefined;
  const { shot, index } = view;
  const open = { unmatted: layer.id };
  const box = boxAround([shot.patch(layer, index, open)], 1);
  const isTrue = box === undefined ? undefined : view.isTrueTo(box, open);
  return isTrue && isPresent(view, layer) !== false;
}
