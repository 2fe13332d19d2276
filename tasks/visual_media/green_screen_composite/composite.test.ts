import { createRandom } from "ale/contract/random";
import type { VideoFrames } from "ale/grade/video/decode-video";
import { describe, expect, test } from "vitest";
import { film } from "./generate/film.ts";
import { measure } from "./grade/measure.ts";
import { compose, drawFigure, drawPlate, frameRate, height, makeScene, width } from "./scene.ts";
import { differenceKey } from "./solve/composite.ts";

const params = { frames: 12, enters: 3, cut_in: 5, used: 6 };
const scene = makeScene(createRandom(4));
const plate = drawPlate(scene);

/** A shot whose frame at `index` shows the figure's moment `momentOf(index)`; outside of the cut, the plate. */
function shot(momentOf: (index: number) => number, count: number = params.frames): VideoFrames {
  return {
    codec: "h264",
    width,
    height,
    frameRate: `${frameRate}/1`,
    count,
    frame(index) {
      const moment = momentOf(index);
      if (moment < 0 || moment >= params.used) return plate;
      return compose(drawFigure(scene, params.cut_in + moment), plate);
    },
    [Symbol.dispose]: () => undefined,
  };
}

describe("the measures of a shot", () => {
  test("are all perfect for the truth", () => {
    expect(
      measure(
        shot((index) => index - params.enters),
        scene,
        params,
      ),
    ).toMatchObject({
      figure: 0,
      edge: 0,
      spill: 0,
      plate: 0,
      onTime: 1,
    });
  });

  test("find each frame of the figure late when it lags by one, and a shot too long", () => {
    const late = measure(
      shot((index) => index - params.enters - 1),
      scene,
      params,
    );
    expect(late.onTime).toBeLessThanOrEqual((params.frames - params.used) / params.frames);
    const long = measure(
      shot((index) => index - params.enters, 24),
      scene,
      params,
    );
    expect(long.onTime).toBe(0.5);
  });

  test("of the bare plate err within the figure as much as an empty shot does", () => {
    const bare = measure(
      shot(() => -1),
      scene,
      params,
    );
    expect(bare.figure).toBe(bare.empty);
    expect(bare.plate).toBe(0);
  });
});

test("the wall's light makes the footage's figure greener, and nothing redder than it is", () => {
  const figure = drawFigure(scene, 9);
  const frame = film(createRandom(1), scene, 9);
  let cast = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (figure.alpha[pixel] !== 1) continue;
    cast += (frame[pixel * 3 + 1] ?? 0) - (figure.colour[pixel * 3 + 1] ?? 0);
    expect(Math.abs((frame[pixel * 3] ?? 0) - (figure.colour[pixel * 3] ?? 0))).toBeLessThanOrEqual(2);
  }
  expect(cast).toBeGreaterThan(0);
});

test("a key names the wall's own colour and is one filter chain", () => {
  expect(differenceKey([40, 180, 70])).toMatch(/^format=gbrap,geq=r='st\(0,.*\/85\.80,/);
});
