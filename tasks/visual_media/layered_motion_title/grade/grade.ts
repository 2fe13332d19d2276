import type { Verdict } from "ale/contract/verdict";
import { linearScore } from "ale/grade/number/linear-score";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
import { locateArtifact, readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { decodeVideo, type VideoFrames } from "ale/grade/video/decode-video";
import type { GradeContext } from "ale/task";
import { type CueSheet, frameRate, height, width } from "../cue-sheet.ts";
import type { Logo } from "../logo.ts";
import type { Params } from "../params.ts";
import { openShot } from "../truth/open-shot.ts";
import { type LayerMeasures, type Measures, measure } from "./measure.ts";

/** Frames by which the shot may be too long or too short to be looked at at all. */
const surplus = 5;

/**
 * What a measure may be for full credit, and from where on there is none. Faithful shots were seen to stay within: shares from 0.9, a
 * look of 0.2, colours of 4 (9 where the coding is coarse), a plate of 2.3, when drawn finer, a pixel or half of one off, coded by
 * BT.709 or with a quality from 10 to 20.
 */
const tolerances = {
  /** Shares of frames. */
  share: { full: 0.85, none: 0.2 },
  /** Shares of the error of a picture without the layer. */
  look: { full: 0.22, none: 0.45 },
  /** Mean differences of a channel, of 255. */
  colour: { full: 8, none: 30 },
  plate: { full: 3, none: 12 },
} as const;

/** Gates on the format, and on graphics that come and go over a plate that runs; then motion, look, stack, plate and length. */
export async function grade(context: GradeContext<Params>): Promise<Verdict> {
  const { artifacts, input, reference, scratch, params } = context;
  const logo = fromReference(await readJson(reference, "logo.json")) as unknown as Logo;
  const sheet = fromReference(await readJson(input, "cue-sheet.json")) as unknown as CueSheet;
  const path = await locateArtifact(artifacts, "title.mp4");
  const read =
    path.kind === "bad"
      ? path
      : await decodeVideo(path.value, { scratch, maxFrames: params.frames + surplus + 1 });
  if (read.kind === "bad") {
    return weightedRubric([check({ id: "format", stage: "hand-in", gate: true, outcome: read.outcome })]);
  }
  using video = read.value;
  const format = check({
    id: "format",
    stage: "hand-in",
    gate: true,
    outcome: formatOutcome(video, params.frames),
  });
  if (format.score < 1) return weightedRubric([format]);
  const found = measure(video, openShot(sheet, logo, input), params.frames);
  const { layers } = found;
  return gateAndScore(
    [format, check({ id: "animated", stage: "hand-in", gate: true, outcome: animated(found) })],
    [
      ...layers.map((layer) =>
        check({
          id: `motion-${layer.id}`,
          stage: "motion",
          weight: 7,
          outcome: shareOutcome(layer.motion, `frames of its moves, in which the ${layer.id} is on time`),
        }),
      ),
      ...layers.map((layer) =>
        check({ id: `look-${layer.id}`, stage: "look", weight: 6, outcome: lookOutcome(layer) }),
      ),
      check({ id: "colours", stage: "look", weight: 5, outcome: colourOutcome(layers) }),
      check({ id: "order", stage: "stack", weight: 10, outcome: meanOutcome(found.order, "order") }),
      check({ id: "mattes", stage: "stack", weight: 8, outcome: meanOutcome(found.mattes, "matte") }),
      check({ id: "plate", stage: "plate", weight: 7, outcome: plateOutcome(found) }),
      check({ id: "length", stage: "plate", weight: 5, outcome: lengthOutcome(video, params.frames) }),
    ],
  );
}

function formatOutcome(video: VideoFrames, frames: number): Outcome {
  const isRight =
    video.codec === "h264" &&
    video.width === width &&
    video.height === height &&
    video.frameRate === `${frameRate}/1` &&
    Math.abs(video.count - frames) <= surplus;
  return {
    score: Number(isRight),
    message: `${video.codec}, ${video.width} × ${video.height}, ${video.frameRate} frames a second, ${countOf(video, frames)} frames; should be h264, ${width} × ${height}, ${frameRate}/1, ${frames}.`,
  };
}

/** Frames beyond those that are decoded are not counted. */
function countOf({ count }: VideoFrames, frames: number): string {
  return count > frames + surplus ? `more than ${frames + surplus}` : String(count);
}

/** Two layers that are there when they should be and not when not, over a picture that moves. */
function animated({ layers, liveliness }: Measures): Outcome {
  const alive = layers.filter(({ shown, hidden }) => shown >= 0.5 && hidden >= 0.5);
  return {
    score: Number(liveliness >= 0.3 && alive.length >= 2),
    message: `${alive.length} of ${layers.length} layers come and go; the picture changes ${liveliness.toFixed(2)} times as much as it should.`,
  };
}

function shareScore(share: number): number {
  return linearScore(share, tolerances.share.none, tolerances.share.full);
}

function shareOutcome(share: number, of: string): Outcome {
  return { score: shareScore(share), message: `${percent(share)} of the ${of}.` };
}

/** A layer that is there when it should not be is not looked at. */
function lookOutcome({ look, shown, hidden, id }: LayerMeasures): Outcome {
  const close = linearScore(look, tolerances.look.none, tolerances.look.full);
  return {
    score: close * shareScore(Math.max(0, shown + hidden - 1)),
    message: `At rest the ${id} errs ${percent(look)} as much as a picture without it; it is seen in ${percent(shown)} of its frames, and not in ${percent(hidden)} of the others.`,
  };
}

function colourOutcome(layers: readonly LayerMeasures[]): Outcome {
  const { full, none } = tolerances.colour;
  const scores = layers.map(({ colour }) => linearScore(colour, none, full));
  const listed = layers.map(({ id, colour }) => `${id} ${colour.toFixed(1)}`).join(", ");
  return { score: mean(scores), message: `Largest mean difference of a channel: ${listed}.` };
}

function meanOutcome(shares: ReadonlyMap<string, number>, what: string): Outcome {
  const listed = [...shares].map(([id, share]) => `${id} ${percent(share)}`).join(", ");
  return {
    score: mean([...shares.values()].map(shareScore)),
    message: `Frames with the right ${what}: ${listed}.`,
  };
}

function plateOutcome({ plateOnTime, plateError }: Measures): Outcome {
  const { full, none } = tolerances.plate;
  return {
    score: shareScore(plateOnTime) * linearScore(plateError, none, full),
    message: `${percent(plateOnTime)} of the frames show the right moment of the plate; its mean error is ${plateError.toFixed(1)}.`,
  };
}

function lengthOutcome(video: VideoFrames, frames: number): Outcome {
  return {
    score: Number(video.count === frames),
    message: `${countOf(video, frames)} frames, should be ${frames}.`,
  };
}

/** 1 only where all are. */
function mean(scores: readonly number[]): number {
  if (scores.every((score) => score === 1)) return scores.length === 0 ? 0 : 1;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
