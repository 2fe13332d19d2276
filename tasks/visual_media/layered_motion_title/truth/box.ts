import { height, width } from "../cue-sheet.ts";

/** Part of the picture: columns `left` to before `right`, rows `top` to before `bottom`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const wholePicture: Box = { left: 0, top: 0, right: width, bottom: height };

/** The least box around parts of the picture, of what lies in it, with a margin; nothing when that is nothing. */
export function boxAround(
  parts: readonly ({ left: number; top: number; width: number; height: number } | undefined)[],
  margin: number = 0,
): Box | undefined {
  const found = parts.filter((part) => part !== undefined);
  const box = {
    left: Math.max(0, Math.min(...found.map(({ left }) => left)) - margin),
    top: Math.max(0, Math.min(...found.map(({ top }) => top)) - margin),
    right: Math.min(width, Math.max(...found.map((part) => part.left + part.width)) + margin),
    bottom: Math.min(height, Math.max(...found.map((part) => part.top + part.height)) + margin),
  };
  return box.left < box.right && box.top < box.bottom ? box : undefined;
}
