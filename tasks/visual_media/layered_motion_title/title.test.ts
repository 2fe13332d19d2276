import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import type { VideoFrames } from "ale/grade/video/decode-video";
import { describe, expect, test } from "vitest";
import { type CueSheet, easings, frameOf, frameRate, height, type Layer, width } from "./cue-sheet.ts";
import { filmPlate } from "./generate/film-plate.ts";
import { makeSheet, safe } from "./generate/make-sheet.ts";
import { type FrameView, viewFrame } from "./grade/frame-view.ts";
import { judgeMotion } from "./grade/judge-motion.ts";
import { judgePlate } from "./grade/judge-plate.ts";
import { judgeLook } from "./grade/judge-rest.ts";
import { judgeMatte, judgeOrder } from "./grade/judge-stack.ts";
import { measure } from "./grade/measure.ts";
import { addTo, emptyTally, shareOf } from "./grade/tally.ts";
import {
  asListed,
  easedBy,
  later,
  type Misreading,
  movedBy,
  withoutKeys,
  withoutMattes,
} from "./mutate-sheet.ts";
import { expression } from "./solve/expression.ts";
import { wholePicture } from "./truth/box.ts";
import { ease } from "./truth/ease.ts";
import { setLines } from "./truth/open-shot.ts";
import { readPlate } from "./truth/read-plate.ts";
import { makeShot } from "./truth/shot.ts";
import { stateAt, valueAt } from "./truth/state-at.ts";
import { readTypeface } from "./truth/typeface.ts";

const input = join(import.meta.dirname, "input");
const params = { plate_first: 3, title: "Last Train", subtitle: "a test", side: "left" } as const;
const logo = { disc: [220, 160, 50], peaks: [240, 240, 245], summits: [-0.2, 0.3] } as const;
const sheet = makeSheet(createRandom(6), { ...params, frames: 100 });
/** Frames 0 to 59 hold all entrances; at 55 all is at rest. */
const entrances = 60;
const rest = 55;
const plate = readPlate(filmPlate(createRandom(7), entrances + 8));
const lines = setLines(sheet, input);
const truth = makeShot(sheet, plate, { logo, lines });

function drawMisread(misread: Misreading): VideoFrames {
  const changed = misread(sheet);
  const shot = makeShot(changed, plate, { logo, lines: setLines(changed, input) });
  return {
    ...{ codec: "h264", width, height, frameRate: `${frameRate}/1`, count: sheet.format.frames },
    frame(index) {
      const drawn = shot.draw(index, wholePicture);
      const picture = new Uint8Array(drawn.length);
      for (let at = 0; at < drawn.length; at++) picture[at] = Math.round(drawn[at] ?? 0);
      return picture;
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** Looks at every so-many-eth frame of a misread shot. */
function viewsOf(misread: Misreading, every: number): readonly FrameView[] {
  const video = drawMisread(misread);
  return Array.from({ length: entrances / every }, (_, index) =>
    viewFrame(truth, index * every, video.frame(index * every)),
  );
}

/** Share of the right answers, over all layers and frames. */
function shareOfRight(
  views: readonly FrameView[],
  judge: (view: FrameView, layer: Layer) => boolean | undefined,
): number {
  const tally = emptyTally();
  for (const view of views) for (const layer of truth.layers) addTo(tally, judge(view, layer));
  expect(tally.all).toBeGreaterThan(5);
  return shareOf(tally);
}

describe("the measures of a shot", () => {
  test("are all perfect for the truth", () => {
    const found = measure(
      drawMisread((same) => same),
      truth,
      entrances,
    );
    for (const layer of found.layers) {
      expect(layer).toMatchObject({ motion: 1, shown: 1, hidden: 1 });
      expect(Math.max(layer.look, layer.colour)).toBeLessThan(0.5);
    }
    expect(new Set([...found.order.values(), ...found.mattes.values()])).toEqual(new Set([1]));
    expect(found.order.size).toBeGreaterThanOrEqual(5);
    expect([...found.mattes.keys()].sort()).toEqual(["disc", "title"]);
    expect(found).toMatchObject({ plateOnTime: 1, liveliness: expect.closeTo(1, 1) });
  });

  test("forgive a pixel, and not four", () => {
    const [near, far] = [1, 4].map((pixels) => viewsOf(movedBy(pixels), 5));
    expect(shareOfRight(near ?? [], judgeMotion)).toBe(1);
    for (const layer of truth.layers) {
      const looks = [near, far].map((views) => judgeLook(views?.[rest / 5] as FrameView, layer)?.ratio ?? 0);
      expect(looks[0]).toBeLessThan(0.02);
      expect(looks[1]).toBeGreaterThan(0.1);
    }
  });

  test("find motion a frame late, at an even pace, or none, and leave the look alone", () => {
    for (const misread of [later(1), easedBy("linear"), withoutKeys]) {
      const views = viewsOf(misread, 5);
      expect(shareOfRight(views, judgeMotion)).toBeLessThan(0.35);
      const still = views.filter(({ index }) => index >= rest);
      for (const layer of truth.layers)
        expect(still.every((view) => (judgeLook(view, layer)?.ratio ?? 1) < 0.1)).toBe(true);
    }
  });

  test("find a wrong stack and mattes that are not heeded, and nothing else", () => {
    const [badge, panel, disc, title] = truth.layers as readonly [Layer, Layer, Layer, Layer];
    const listed = viewsOf(asListed, 5).at(-1) as FrameView;
    expect(judgeOrder(listed, badge, panel)).toBe(false);
    expect(judgeOrder(listed, disc, title)).toBe(false);
    expect(judgeOrder(listed, panel, title)).toBe(true);
    expect(shareOfRight(viewsOf(withoutMattes, 5), judgeMatte)).toBe(0);
  });

  test("find a plate that shows another moment", () => {
    const changed = (read: CueSheet) => ({ ...read, plate: { ...read.plate, first_frame: "00:04" } });
    for (const view of viewsOf(changed, 20)) expect(judgePlate(view).isOnTime).toBe(false);
    for (const view of viewsOf(later(1), 20)) expect(judgePlate(view).isOnTime).toBe(true);
  });
});

describe("a cue sheet", () => {
  test.each(["left", "right"] as const)("rests within title-safe at the %s, whatever the seed", (side) => {
    for (let seed = 0; seed < 40; seed++) {
      const made = makeSheet(createRandom(seed), { ...params, side, frames: 104 });
      for (const box of restingBoxes(made)) {
        expect(Math.min(box[0] - safe * width, box[1] - safe * height)).toBeGreaterThanOrEqual(0);
        expect(box[2]).toBeLessThanOrEqual((1 - safe) * width);
        expect(box[3]).toBeLessThanOrEqual((1 - safe) * height);
      }
    }
  });

  test("is read by key: each value holds before the first and after the last, and goes by the easing between", () => {
    const keys = [
      { at: "00:10", value: 100 },
      { at: "01:05", value: 0, ease: "in-cubic" },
    ] as const;
    expect([0, 10, 20, 30, 99].map((frame) => valueAt(keys, frame))).toEqual([100, 100, 87.5, 0, 0]);
    expect(valueAt(keys, 20, "linear")).toBe(50);
  });

  test("has easings that begin at 0 and end at 1", () => {
    for (const easing of easings) {
      expect(ease(easing, 0)).toBeCloseTo(0);
      expect(ease(easing, 1)).toBeCloseTo(1);
    }
    expect(ease("out-back", 0.6)).toBeGreaterThan(1);
  });
});

/** Left, top, right, bottom of each layer half-way through the time that all are at rest. */
function restingBoxes(made: CueSheet): readonly (readonly [number, number, number, number])[] {
  const frame = frameOf(made.style_frame.at);
  return made.layers.map((layer) => {
    const { x, y, scale } = stateAt(layer, frame);
    if (layer.kind === "rectangle") return [x, y, x + layer.width, y + layer.height];
    const radius = layer.kind === "image" ? 72 * scale : 0;
    return [x - radius, y - radius, x + radius, y + radius];
  });
}

test("the typeface is read as it is: a line is as long as its letters, which cover what they should", () => {
  const typeface = readTypeface(readFileSync(join(input, "quayline.ttf")));
  expect(typeface.advance("1") * 40).toBe(26);
  expect(typeface.outline("i")).toHaveLength(2);
  expect(typeface.outline(" ")).toEqual([]);
  expect(() => typeface.outline("漢")).toThrow(/no letter/);
  const title = lines.get("title");
  expect(title?.advance).toBe([...params.title].reduce((sum, one) => sum + typeface.advance(one) * 40, 0));
  expect(Math.max(...(title?.cover ?? []))).toBeCloseTo(1);
});

test("an expression has ffmpeg count frames by time", () => {
  expect(expression(7)).toBe("7");
  expect(
    expression([
      { at: "00:10", value: 4 },
      { at: "00:20", value: 8, ease: "in-cubic" },
    ]),
  ).toBe("if(lt(round(t*25),10),4,if(lt(round(t*25),20),st(0,(round(t*25)-10)/10);4+(4)*pow(ld(0),3),8))");
});
