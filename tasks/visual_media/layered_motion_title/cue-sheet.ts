export const width = 512;
export const height = 288;
export const frameRate = 25;

export const easings = [
  "linear",
  "in-cubic",
  "out-cubic",
  "in-out-cubic",
  "in-out-sine",
  "out-back",
] as const;
export type Easing = (typeof easings)[number];

export interface Key {
  /** `seconds:frames`. */
  readonly at: string;
  readonly value: number;
  /** How the value gets here from the key before; the first key has none. */
  readonly ease?: Easing;
}

/** A fixed value, or keys in the order of time. */
export type Animated = number | readonly Key[];

interface AnyLayer {
  readonly id: string;
  /** The higher is in front. */
  readonly z: number;
  /** The first frame in which the layer is there, and the first in which it is not any more; `seconds:frames`. */
  readonly in: string;
  readonly out: string;
  readonly x: Animated;
  readonly y: Animated;
  readonly opacity: Animated;
}

/** x, y: the upper left corner. */
export interface RectangleLayer extends AnyLayer {
  readonly kind: "rectangle";
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

/** x, y: the centre. */
export interface DiscLayer extends AnyLayer {
  readonly kind: "disc";
  readonly radius: number;
  readonly colour: string;
  /** The rectangle within whose shape alone the disc is seen. */
  readonly matte: { readonly layer: string };
}

/** x, y: the centre, about which it is scaled. */
export interface ImageLayer extends AnyLayer {
  readonly kind: "image";
  readonly file: string;
  readonly scale: Animated;
}

/** x, y: the anchor on the base line. */
export interface TextLayer extends AnyLayer {
  readonly kind: "text";
  readonly text: string;
  readonly font: string;
  /** Pixels to the em. */
  readonly size: number;
  readonly colour: string;
  readonly anchor: "start" | "end";
  /** Where alone the text is seen: left, top, width, height. */
  readonly matte?: { readonly box: readonly [number, number, number, number] };
}

export type Layer = RectangleLayer | DiscLayer | ImageLayer | TextLayer;

export interface CueSheet {
  readonly format: {
    readonly width: number;
    readonly height: number;
    readonly frame_rate: number;
    readonly frames: number;
  };
  readonly plate: { readonly file: string; readonly first_frame: string };
  readonly style_frame: { readonly file: string; readonly at: string };
  readonly layers: readonly Layer[];
}

/** Writes a count of frames as `seconds:frames`. */
export function timecode(frame: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(frame / frameRate))}:${two(frame % frameRate)}`;
}

/** Reads `seconds:frames` as a count of frames. */
export function frameOf(time: string): number {
  const [seconds = Number.NaN, frames = Number.NaN] = time.split(":").map(Number);
  return seconds * frameRate + frames;
}
