import type { VideoFrames } from "ale/grade/video/decode-video";
import type { Layer } from "../cue-sheet.ts";
import { wholePicture } from "../truth/box.ts";
import type { Shot } from "../truth/shot.ts";
import { stateAt } from "../truth/state-at.ts";
import { difference, type FrameView, viewFrame } from "./frame-view.ts";
import { isPresent, judgeMotion, tell } from "./judge-motion.ts";
import { judgePlate } from "./judge-plate.ts";
import { isAtRest, judgeLook } from "./judge-rest.ts";
import { judgeMatte, judgeOrder } from "./judge-stack.ts";
import { addTo, emptyTally, shareOf, type Tally } from "./tally.ts";

export interface LayerMeasures {
  readonly id: string;
  /** Share of the frames in which the layer moves, comes or goes that show it at its moment. */
  readonly motion: number;
  /** Error at rest, as a share of that of a picture without the layer. */
  readonly look: number;
  /** Largest mean difference of a channel well within the layer at rest, of 255. */
  readonly colour: number;
  /** Share of the frames with the layer that show it, and share of those without that do not. */
  readonly shown: number;
  readonly hidden: number;
}

export interface Measures {
  readonly layers: readonly LayerMeasures[];
  /** By the two layers' ids, the hindmost first: share of the frames in which the right one is in front. */
  readonly order: ReadonlyMap<string, number>;
  /** By the layer's id: share of the frames in which its matte hides what it should. */
  readonly mattes: ReadonlyMap<string, number>;
  readonly plateOnTime: number;
  /** Mean difference, of 255. */
  readonly plateError: number;
  /** How much changes from frame to frame, as a share of what should. */
  readonly liveliness: number;
}

/** All but motion and plate is looked at in one frame of so many. */
const stride = 3;
/** Frames between two that are held against each other for liveliness. */
const gap = 5;

interface LayerSums {
  readonly layer: Layer;
  readonly motion: Tally;
  readonly shown: Tally;
  readonly hidden: Tally;
  readonly ratios: number[];
  readonly colour: [number, number, number];
  pixels: number;
}

/** Compares a decoded shot with the true one, frame by frame. @param frames of the true shot. */
export function measure(video: VideoFrames, shot: Shot, frames: number): Measures {
  const sums = shot.layers.map(
    (layer): LayerSums => ({
      layer,
      motion: emptyTally(),
      shown: emptyTally(),
      hidden: emptyTally(),
      ratios: [],
      colour: [0, 0, 0],
      pixels: 0,
    }),
  );
  const resting = restingFrames(shot, frames);
  const order = new Map<string, Tally>();
  const mattes = new Map<string, Tally>();
  const plate = { onTime: emptyTally(), error: 0 };
  const changes = { actual: 0, expected: 0 };
  let before: { readonly seen: Float32Array; readonly truth: Float32Array } | undefined;
  const count = Math.min(frames, video.count);
  for (let index = 0; index < count; index++) {
    const view = viewFrame(shot, index, video.frame(index));
    for (const sum of sums) addLayer(sum, view, resting.get(sum.layer.id));
    if (index % stride === 0) addStack(view, order, mattes);
    const { isOnTime, error } = judgePlate(view);
    addTo(plate.onTime, isOnTime);
    plate.error += error / count;
    if (index % gap !== 0) continue;
    const now = { seen: view.actual(wholePicture), truth: view.expected(wholePicture) };
    if (before !== undefined) {
      changes.actual += difference(now.seen, before.seen);
      changes.expected += difference(now.truth, before.truth);
    }
    before = now;
  }
  return {
    layers: sums.map((sum) => layerMeasures(sum)),
    order: new Map([...order].map(([pair, tally]) => [pair, shareOf(tally)])),
    mattes: new Map([...mattes].map(([id, tally]) => [id, shareOf(tally)])),
    plateOnTime: (shareOf(plate.onTime) * count) / frames,
    plateError: plate.error,
    liveliness: changes.expected === 0 ? 0 : changes.actual / changes.expected,
  };
}

/** By the layer's id, a frame in the middle of its rest. */
function restingFrames(shot: Shot, frames: number): ReadonlyMap<string, number> {
  return new Map(
    shot.layers.map((layer) => {
      const still = Array.from({ length: frames }, (_, index) => index).filter((index) =>
        isAtRest(layer, index),
      );
      return [layer.id, still[Math.floor(still.length / 2)] ?? 0];
    }),
  );
}

function addLayer(sum: LayerSums, view: FrameView, resting: number = 0): void {
  const { layer } = sum;
  addTo(sum.motion, judgeMotion(view, layer));
  if (view.index % stride !== 0) return;
  if (isAtRest(layer, view.index)) {
    const look = judgeLook(view, layer);
    if (look === undefined) return;
    addTo(sum.shown, isPresent(view, layer));
    sum.ratios.push(look.ratio);
    sum.pixels += look.pixels;
    for (const [channel, value] of look.colour.entries())
      sum.colour[channel] = (sum.colour[channel] ?? 0) + value;
  } else if (!stateAt(layer, view.index).isThere) {
    addTo(sum.hidden, tell(view, layer, { states: { [layer.id]: stateAt(layer, resting) } }));
  }
}

function addStack(view: FrameView, order: Map<string, Tally>, mattes: Map<string, Tally>): void {
  const { layers } = view.shot;
  const add = (to: Map<string, Tally>, key: string, answer: boolean | undefined): void => {
    if (answer === undefined) return;
    const tally = to.get(key) ?? emptyTally();
    to.set(key, tally);
    addTo(tally, answer);
  };
  for (const [at, front] of layers.entries()) {
    for (const back of layers.slice(0, at))
      add(order, `${back.id} < ${front.id}`, judgeOrder(view, back, front));
    add(mattes, front.id, judgeMatte(view, front));
  }
}

function layerMeasures({ layer, motion, shown, hidden, ratios, colour, pixels }: LayerSums): LayerMeasures {
  return {
    id: layer.id,
    motion: shareOf(motion),
    look: ratios.length === 0 ? 1 : ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
    colour: pixels === 0 ? 255 : Math.max(...colour.map((value) => Math.abs(value) / pixels)),
    shown: shareOf(shown),
    hidden: shareOf(hidden),
  };
}
