import type { Verdict } from "ale/contract/verdict";
import { gradedCloseness } from "ale/grade/number/graded-closeness";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
import { locateArtifact, readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { decodeVideo, type VideoFrames } from "ale/grade/video/decode-video";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import { frameRate, height, type Scene, width } from "../scene.ts";
import { type Measures, measure } from "./measure.ts";

/** Frames decoded beyond those asked for, to see that there are too many. */
const surplus = 50;

/** What a mean error may be for full credit, and from where on there is none; of 255. */
const tolerances = {
  figure: { tolerance: 4, limit: 20 },
  edge: { tolerance: 9, limit: 28 },
  spill: { tolerance: 1.2, limit: 5 },
  plate: { tolerance: 2.5, limit: 12 },
} as const;

/** Gates on the format and on a figure that stands in the plate; then edge, spill, timing, figure and plate. */
export async function grade({
  artifacts,
  reference,
  scratch,
  params,
}: GradeContext<Params>): Promise<Verdict> {
  const scene = fromReference(await readJson(reference, "scene.json")) as unknown as Scene;
  const path = await locateArtifact(artifacts, "composite.mp4");
  const read =
    path.kind === "bad"
      ? path
      : await decodeVideo(path.value, { scratch, maxFrames: params.frames + surplus });
  if (read.kind === "bad") {
    return weightedRubric([check({ id: "format", stage: "hand-in", gate: true, outcome: read.outcome })]);
  }
  using shot = read.value;
  const format = check({ id: "format", stage: "hand-in", gate: true, outcome: formatOutcome(shot) });
  if (format.score < 1) return weightedRubric([format]);
  const found = measure(shot, scene, params);
  const close = (what: keyof typeof tolerances): Outcome =>
    gradedCloseness(found[what], 0, { scale: "absolute", ...tolerances[what] });
  return gateAndScore(
    [format, check({ id: "composited", stage: "composite", gate: true, outcome: composited(found) })],
    [
      check({ id: "edge", stage: "key", weight: 30, outcome: close("edge") }),
      check({ id: "spill", stage: "key", weight: 20, outcome: close("spill") }),
      check({ id: "figure", stage: "composite", weight: 15, outcome: close("figure") }),
      check({ id: "plate", stage: "composite", weight: 10, outcome: close("plate") }),
      check({
        id: "timing",
        stage: "edit",
        weight: 25,
        outcome: {
          score: found.onTime,
          message: `${(100 * found.onTime).toFixed(1)} % of the frames show what they should at their time; the shot has ${shot.count} frames of ${params.frames}.`,
        },
      }),
    ],
  );
}

function formatOutcome(shot: VideoFrames): Outcome {
  const isRight =
    shot.codec === "h264" &&
    shot.width === width &&
    shot.height === height &&
    shot.frameRate === `${frameRate}/1` &&
    shot.count > 0;
  return {
    score: Number(isRight),
    message: `${shot.codec}, ${shot.width} × ${shot.height}, ${shot.frameRate} frames a second, should be h264, ${width} × ${height}, ${frameRate}/1.`,
  };
}

/** A figure is there when the shot errs less than half as much, within it, as the bare plate; and the plate is there. */
function composited({ figure, empty, plate, onTime }: Measures): Outcome {
  const isThere = figure < empty / 2 && plate < tolerances.plate.limit && onTime > 0;
  return {
    score: Number(isThere),
    message: `Within the figure the mean error is ${figure.toFixed(1)} (the bare plate: ${empty.toFixed(1)}), outside ${plate.toFixed(1)}.`,
  };
}
