import { type CueSheet, frameOf, type Layer } from "../cue-sheet.ts";
import type { Box } from "./box.ts";
import { drawLayer, type Materials, type Patch } from "./draw-layer.ts";
import type { Plate } from "./read-plate.ts";
import { type LayerState, stateAt } from "./state-at.ts";

/** How a picture is to differ from the true one. */
export interface Deviation {
  /** States of layers by id, instead of the true ones. */
  readonly states?: Readonly<Record<string, LayerState>>;
  /** Two layers that change places in the stack. */
  readonly swapped?: readonly [string, string];
  /** A layer whose matte is not heeded. */
  readonly unmatted?: string;
}

/** The true shot, drawn from the cue sheet. */
export interface Shot {
  /** From the hindmost. */
  readonly layers: readonly Layer[];
  /** Red, green, blue a pixel of the box, row by row. */
  draw(frame: number, box: Box, deviation?: Deviation): Float32Array;
  /** The whole plate alone, as it is at a frame of the shot; not to be changed. */
  plateAt(frame: number): Float32Array;
  /** The layer as it is seen without what is in front of it, or nothing. */
  patch(layer: Layer, frame: number, deviation?: Deviation): Patch | undefined;
}

export function makeShot(sheet: CueSheet, plate: Plate, materials: Materials): Shot {
  const layers = sheet.layers.toSorted((a, b) => a.z - b.z);
  const first = frameOf(sheet.plate.first_frame);
  const drawn = new Map<string, Patch>();

  function remember(key: string, draw: () => Patch): Patch {
    const patch = drawn.get(key) ?? draw();
    // The moments around one are asked for many times, then never again.
    if (drawn.size > 400) drawn.clear();
    drawn.set(key, patch);
    return patch;
  }

  function drawAlone(layer: Layer, state: LayerState, isMatted: boolean): Patch {
    return remember(keyOf(layer, state, isMatted), () => drawLayer(layer, state, materials, isMatted));
  }

  function stateOf(layer: Layer, frame: number, { states }: Deviation): LayerState {
    return states?.[layer.id] ?? stateAt(layer, frame);
  }

  function patchOf(layer: Layer, frame: number, deviation: Deviation): Patch | undefined {
    const state = stateOf(layer, frame, deviation);
    if (!state.isThere || state.opacity === 0) return undefined;
    const isMatted = deviation.unmatted !== layer.id;
    const patch = drawAlone(layer, state, isMatted);
    if (layer.kind !== "disc" || !isMatted) return patch;
    const matte = layers.find(({ id }) => id === layer.matte.layer);
    const shape = matte === undefined ? undefined : stateOf(matte, frame, deviation);
    if (matte === undefined || shape === undefined || !shape.isThere) return undefined;
    const solid = { ...shape, opacity: 1 };
    return remember(`${keyOf(layer, state, true)} ${keyOf(matte, solid, true)}`, () =>
      within(patch, drawAlone(matte, solid, true)),
    );
  }

  return {
    layers,
    plateAt: (frame) => plate.whole(first + frame),
    patch: (layer, frame, deviation = {}) => patchOf(layer, frame, deviation),
    draw(frame, box, deviation = {}) {
      const picture = plate.cut(first + frame, box);
      const order = swap(layers, deviation.swapped);
      for (const layer of order) {
        const patch = patchOf(layer, frame, deviation);
        if (patch !== undefined) lay(picture, box, patch);
      }
      return picture;
    },
  };
}

function keyOf({ id }: Layer, { x, y, opacity, scale }: LayerState, isMatted: boolean): string {
  return [id, x, y, opacity, scale, isMatted].join();
}

function swap(layers: readonly Layer[], pair: Deviation["swapped"]): readonly Layer[] {
  if (pair === undefined) return layers;
  const [one, other] = pair.map((id) => layers.find((layer) => layer.id === id));
  return layers.map((layer) => (layer === one ? other : layer === other ? one : layer) ?? layer);
}

function within(patch: Patch, matte: Patch): Patch {
  const alpha = patch.alpha.map((value, at) => {
    const column = patch.left + (at % patch.width) - matte.left;
    const row = patch.top + Math.floor(at / patch.width) - matte.top;
    if (column < 0 || row < 0 || column >= matte.width || row >= matte.height) return 0;
    return value * (matte.alpha[row * matte.width + column] ?? 0);
  });
  return { ...patch, alpha };
}

function lay(picture: Float32Array, box: Box, patch: Patch): void {
  const boxWidth = box.right - box.left;
  const isFlat = patch.colour.length === 3;
  const last = Math.min(box.right, patch.left + patch.width);
  for (let row = Math.max(box.top, patch.top); row < Math.min(box.bottom, patch.top + patch.height); row++) {
    for (let column = Math.max(box.left, patch.left); column < last; column++) {
      const from = (row - patch.top) * patch.width + column - patch.left;
      const alpha = patch.alpha[from] ?? 0;
      if (alpha === 0) continue;
      const at = ((row - box.top) * boxWidth + column - box.left) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const colour = patch.colour[isFlat ? channel : from * 3 + channel] ?? 0;
        picture[at + channel] = (1 - alpha) * (picture[at + channel] ?? 0) + alpha * colour;
      }
    }
  }
}
