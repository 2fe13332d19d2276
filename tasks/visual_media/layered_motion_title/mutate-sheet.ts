import { type Animated, type CueSheet, frameOf, type Key, type Layer, timecode } from "./cue-sheet.ts";
import { valueAt } from "./truth/state-at.ts";

/** What a cue sheet would be if it were read in a certain wrong way. */
export type Misreading = (sheet: CueSheet) => CueSheet;

/** Changes all layers, or one. */
export function eachLayer(change: (layer: Layer, sheet: CueSheet) => Layer, only?: string): Misreading {
  return (sheet) => ({
    ...sheet,
    layers: sheet.layers.map((layer) =>
      only === undefined || layer.id === only ? change(layer, sheet) : layer,
    ),
  });
}

/** Changes all keys of a layer, and the times at which it comes and goes. */
function eachTime(layer: Layer, time: (at: string) => string): Layer {
  const moved = eachKey(layer, (key) => ({ ...key, at: time(key.at) }));
  return { ...moved, in: time(layer.in), out: time(layer.out) };
}

function eachKey(layer: Layer, change: (key: Key) => Key): Layer {
  return eachValue(layer, (value) => (typeof value === "number" ? value : value.map(change)));
}

function eachValue(layer: Layer, change: (value: Animated, name: string) => Animated): Layer {
  const { x, y, opacity } = layer;
  const moved = { ...layer, x: change(x, "x"), y: change(y, "y"), opacity: change(opacity, "opacity") };
  return moved.kind === "image" ? { ...moved, scale: change(moved.scale, "scale") } : moved;
}

export function later(frames: number): Misreading {
  return eachLayer((layer) => eachTime(layer, (at) => timecode(frameOf(at) + frames)));
}

/** Frames taken for hundredths of a second. */
export const asHundredths: Misreading = eachLayer((layer) =>
  eachTime(layer, (at) => timecode(Math.round(Number(at.replace(":", ".")) * 25))),
);

export function easedBy(ease: NonNullable<Key["ease"]>): Misreading {
  return eachLayer((layer) => eachKey(layer, (key) => (key.ease === undefined ? key : { ...key, ease })));
}

/** Every layer stands still, as it is half-way between its coming and going. */
export const withoutKeys: Misreading = eachLayer((layer) => {
  const middle = Math.round((frameOf(layer.in) + frameOf(layer.out)) / 2);
  return eachValue(layer, (value) => valueAt(value, middle));
});

export const alwaysThere: Misreading = eachLayer((layer, { format }) => ({
  ...layer,
  in: timecode(0),
  out: timecode(format.frames),
}));

/** Stacked in the order of the list. */
export const asListed: Misreading = (sheet) => ({
  ...sheet,
  layers: sheet.layers.map((layer, z) => ({ ...layer, z })),
});

/** All layers moved to the right and down. */
export function movedBy(pixels: number): Misreading {
  return eachLayer((layer) => {
    const shift = (value: number): number => value + pixels;
    const moved = eachValue(layer, (value, name) => {
      if (name !== "x" && name !== "y") return value;
      return typeof value === "number"
        ? shift(value)
        : value.map((key) => ({ ...key, value: shift(key.value) }));
    });
    if (moved.kind !== "text" || moved.matte === undefined) return moved;
    const [left, top, width, height] = moved.matte.box;
    return { ...moved, matte: { box: [shift(left), shift(top), width, height] } };
  });
}

/** Mattes as large as the picture. */
export const withoutMattes: Misreading = (sheet) => {
  const { width, height, frames } = sheet.format;
  const everything: Layer = {
    id: "everything",
    kind: "rectangle",
    z: 0,
    ...{ width, height, colour: "#000000", x: 0, y: 0, opacity: 0 },
    in: timecode(0),
    out: timecode(frames),
  };
  const opened = eachLayer((layer) => {
    if (layer.kind === "disc") return { ...layer, matte: { layer: everything.id } };
    return layer.kind === "text" ? { ...layer, matte: { box: [0, 0, width, height] } } : layer;
  })(sheet);
  return { ...opened, layers: [...opened.layers, everything] };
};
