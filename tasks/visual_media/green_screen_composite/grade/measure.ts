import type { VideoFrames } from "ale/grade/video/decode-video";
import { addRegion, emptySums, meanOf } from "ale/grade/video/region-error";
import type { Params } from "../params.ts";
import { compose, drawFigure, drawPlate, type Figure, type Scene, softness } from "../scene.ts";

/** Mean errors over the shot, of 255. */
export interface Measures {
  /** Well within the figure. */
  readonly figure: number;
  /** Where the figure's outline is. */
  readonly edge: number;
  /** Green left over at and near the outline. */
  readonly spill: number;
  /** Where only the plate is to be seen. */
  readonly plate: number;
  /** The error, within the figure, of a shot in which there is none. */
  readonly empty: number;
  /** Frames that show what they should at their time, of all frames. */
  readonly onTime: number;
}

interface Still {
  readonly truth: Uint8Array;
  readonly figure: Int32Array;
  readonly edge: Int32Array;
  readonly near: Int32Array;
  readonly plate: Int32Array;
}

/** Largest mean error of a frame in which the figure must not be. */
const emptyError = 6;
/** Largest mean error at the outline of a frame that is on time. */
const lateError = 40;
/** Half the width of the outline, and a pixel more on each side. */
const margin = softness / 2 + 1;

/** Compares a decoded shot with the one drawn from the scene itself. */
export function measure(shot: VideoFrames, scene: Scene, params: Params): Measures {
  const plate = drawPlate(scene);
  const everywhere = Int32Array.from({ length: plate.length / 3 }, (_, pixel) => pixel);
  const sums = {
    figure: emptySums(),
    edge: emptySums(),
    plate: emptySums(),
    empty: emptySums(),
    near: emptySums(),
  };
  const made = new Map<number, Still>();
  const still = (moment: number): Still => {
    const found = made.get(moment) ?? drawStill(drawFigure(scene, params.cut_in + moment), plate);
    made.set(moment, found);
    return found;
  };
  let onTime = 0;
  for (let index = 0; index < Math.min(params.frames, shot.count); index++) {
    const picture = shot.frame(index);
    const moment = index - params.enters;
    if (moment < 0 || moment >= params.used) {
      addRegion(sums.plate, picture, plate, everywhere);
      if (errorIn(picture, plate, everywhere) <= emptyError) onTime++;
      continue;
    }
    const now = still(moment);
    addRegion(sums.figure, picture, now.truth, now.figure);
    addRegion(sums.edge, picture, now.truth, now.edge);
    addRegion(sums.near, picture, now.truth, now.near);
    addRegion(sums.plate, picture, now.truth, now.plate);
    addRegion(sums.empty, plate, now.truth, now.figure);
    const neighbours = [still(moment - 1), still(moment + 1)];
    const isNearest = neighbours.every(
      (other) => errorIn(picture, now.truth, other.edge) < errorIn(picture, other.truth, other.edge),
    );
    if (isNearest && errorIn(picture, now.truth, now.edge) <= lateError) onTime++;
    made.delete(moment - 2);
  }
  return {
    figure: meanOf(sums.figure, "difference"),
    edge: meanOf(sums.edge, "difference"),
    spill: meanOf(sums.near, "spill"),
    plate: meanOf(sums.plate, "difference"),
    empty: meanOf(sums.empty, "difference"),
    onTime: onTime / Math.max(params.frames, shot.count),
  };
}

function drawStill(figure: Figure, plate: Uint8Array): Still {
  const within = (low: number, high: number): Int32Array => {
    const pixels: number[] = [];
    for (const [pixel, depth] of figure.inside.entries())
      if (depth > low && depth <= high) pixels.push(pixel);
    return Int32Array.from(pixels);
  };
  return {
    truth: compose(figure, plate),
    figure: within(margin, Number.POSITIVE_INFINITY),
    edge: within(-margin, margin),
    near: within(0, 6),
    plate: within(Number.NEGATIVE_INFINITY, -margin),
  };
}

function errorIn(actual: Uint8Array, expected: Uint8Array, region: Int32Array): number {
  const sums = emptySums();
  addRegion(sums, actual, expected, region);
  return meanOf(sums, "difference");
}
