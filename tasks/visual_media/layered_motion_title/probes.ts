import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import { type CueSheet, timecode } from "./cue-sheet.ts";
import {
  alwaysThere,
  asHundredths,
  asListed,
  eachLayer,
  easedBy,
  later,
  type Misreading,
  movedBy,
  withoutKeys,
  withoutMattes,
} from "./mutate-sheet.ts";
import type { Params } from "./params.ts";
import type { FilmOptions } from "./solve/film.ts";
import { readSheet, render } from "./solve/solve.ts";

type Context = ProbeContext<Params>;

/** Makes the shot anew from a misread sheet, or drawn or coded otherwise. */
function remake(
  { input, output }: Context,
  misread: Misreading,
  changes: Pick<FilmOptions, "finer"> = {},
): void {
  const scratch = mkdtempSync(join(output, "scratch-"));
  render({ sheet: misread(readSheet(input)), input, scratch, into: join(output, "title.mp4"), ...changes });
  rmSync(scratch, { recursive: true });
}

/** Has ffmpeg make the shot of something else, by default of the shot there is. */
function convert({ output }: Context, settings: readonly string[], from?: readonly string[]): void {
  const [into, converted] = [join(output, "title.mp4"), join(output, "converted.mp4")];
  const argv = ["-nostdin", "-v", "error", "-y", ...(from ?? ["-i", into]), ...settings];
  const { status, stderr } = spawnSync("ffmpeg", [...argv, "-threads", "1", converted], { encoding: "utf8" });
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`);
  copyFileSync(converted, into);
  rmSync(converted);
}

const same: Misreading = (sheet) => sheet;
const h264 = ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p"];

/** Plays the plate from another frame. */
function plateFrom(change: (params: Params) => number, { params }: Context): Misreading {
  return (sheet: CueSheet) => ({
    ...sheet,
    plate: { ...sheet.plate, first_frame: timecode(change(params)) },
  });
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-file",
    kind: "empty",
    expected: 0,
    because: "A file without content is no shot.",
    make: ({ output }) => writeFileSync(join(output, "title.mp4"), ""),
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The plate as it was given is no H.264 and has no title.",
    make: ({ input, output }) => copyFileSync(join(input, "plate.y4m"), join(output, "title.mp4")),
  },
  {
    name: "plate-only",
    kind: "copied-input",
    expected: 0,
    because: "The right piece of the plate in the right format has no layer on it.",
    make: (context) => remake(context, (sheet) => ({ ...sheet, layers: [] })),
  },
  {
    name: "style-frame-held",
    kind: "copied-input",
    expected: 0,
    because: "The approved still for the whole time moves nowhere.",
    make: (context) =>
      convert(
        context,
        ["-frames:v", String(context.params.frames), ...h264],
        ["-loop", "1", "-framerate", "25", "-i", join(context.input, "style-frame.png")],
      ),
  },
  {
    name: "graphics-all-the-time",
    kind: "format-only",
    expected: 0,
    because: "Graphics that stand over the running plate from first to last are not animated.",
    make: (context) => remake(context, (sheet) => alwaysThere(withoutKeys(sheet))),
  },
  {
    name: "at-thirty-frames",
    kind: "unit-error",
    expected: 0,
    because: "25 frames a second were asked for.",
    make: (context) => convert(context, ["-r", "30", ...h264]),
  },
  {
    name: "another-codec",
    kind: "format-only",
    expected: 0,
    because: "H.264 was asked for.",
    make: (context) => convert(context, ["-c:v", "mpeg4", "-q:v", "2"]),
  },
  {
    name: "half-the-shot",
    kind: "truncated",
    expected: 0,
    because: "A shot of half the length cannot be used.",
    make: (context) =>
      convert(context, ["-frames:v", String(Math.floor(context.params.frames / 2)), "-c", "copy"]),
  },
  {
    name: "file-cut-off",
    kind: "truncated",
    expected: 0,
    because: "A file whose end is missing does not open.",
    make({ output }) {
      const path = join(output, "title.mp4");
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  },
  {
    name: "three-frames-short",
    kind: "off-tolerance",
    expected: [0.92, 0.95],
    because: "Only the length is wrong, and the end of what the last frames show.",
    make: (context) => convert(context, ["-frames:v", String(context.params.frames - 3), ...h264]),
  },
  {
    name: "even-pace",
    kind: "near-miss",
    expected: [0.5, 0.75],
    because:
      "Without easings most moves and fades are at the wrong place on their way; comings and goings are right.",
    make: (context) => remake(context, easedBy("linear")),
  },
  {
    name: "one-easing-for-all",
    kind: "near-miss",
    expected: [0.55, 0.85],
    because: "The usual ease-in-out is not what most keys ask for.",
    make: (context) => remake(context, easedBy("in-out-sine")),
  },
  {
    name: "one-frame-late",
    kind: "off-tolerance",
    expected: [0.52, 0.68],
    because: "Nothing moves at its time, though all looks right at rest.",
    make: (context) => remake(context, later(1)),
  },
  {
    name: "all-two-frames-late",
    kind: "off-tolerance",
    expected: [0.45, 0.62],
    because: "The whole shot is late, plate and all.",
    make: (context) =>
      remake(context, (sheet) => later(2)(plateFrom((params) => params.plate_first - 2, context)(sheet))),
  },
  {
    name: "frames-as-hundredths",
    kind: "unit-error",
    expected: [0, 0.65],
    because: "Times read as seconds with decimals are wrong nearly everywhere.",
    make: (context) => remake(context, asHundredths),
  },
  {
    name: "hard-cuts",
    kind: "near-miss",
    expected: [0.45, 0.7],
    because: "Layers come and go at the right frames, but do not move or fade.",
    make: (context) => remake(context, withoutKeys),
  },
  {
    name: "stacked-as-listed",
    kind: "near-miss",
    expected: [0.8, 0.97],
    because: "In the order of the list the badge and the disc are in front of what should cover them.",
    make: (context) => remake(context, asListed),
  },
  {
    name: "no-mattes",
    kind: "near-miss",
    expected: [0.75, 0.93],
    because: "Title and disc are seen outside of their mattes.",
    make: (context) => remake(context, withoutMattes),
  },
  {
    name: "no-badge",
    kind: "near-miss",
    expected: [0.75, 0.9],
    because: "One layer of five is missing.",
    make: (context) =>
      remake(context, (sheet) => ({ ...sheet, layers: sheet.layers.filter(({ id }) => id !== "badge") })),
  },
  {
    name: "misspelt-title",
    kind: "near-miss",
    expected: [0.72, 0.94],
    because: "A letter is missing, and all after it stands elsewhere.",
    make: (context) =>
      remake(
        context,
        eachLayer(
          (layer) =>
            layer.kind === "text" ? { ...layer, text: layer.text.slice(0, 2) + layer.text.slice(3) } : layer,
          "title",
        ),
      ),
  },
  {
    name: "title-a-tenth-smaller",
    kind: "off-tolerance",
    expected: [0.72, 0.9],
    because: "The title has the right words in the wrong size.",
    make: (context) =>
      remake(
        context,
        eachLayer(
          (layer) => (layer.kind === "text" ? { ...layer, size: Math.round(layer.size * 0.9) } : layer),
          "title",
        ),
      ),
  },
  {
    name: "panel-opaque",
    kind: "off-tolerance",
    expected: [0.9, 0.985],
    because: "A panel without its transparency has the wrong colour.",
    make: (context) =>
      remake(
        context,
        eachLayer((layer) => ({ ...layer, opacity: 1 }), "panel"),
      ),
  },
  {
    name: "four-pixels-off",
    kind: "off-tolerance",
    expected: [0.4, 0.9],
    because: "Every layer stands four pixels too far to the right and too low.",
    make: (context) => remake(context, movedBy(4)),
  },
  {
    name: "plate-from-its-start",
    kind: "near-miss",
    expected: [0.85, 0.94],
    because: "The plate shows another moment all the time; the layers are right.",
    make: (context) =>
      remake(
        context,
        plateFrom(() => 0, context),
      ),
  },
  {
    name: "another-encoder-setting",
    kind: "valid-alternative",
    expected: 1,
    because: "Another quality, speed, key-frame distance and named colour matrix leave the same shot.",
    make: (context) =>
      convert(context, [
        ...["-vf", "scale=in_color_matrix=bt601:out_color_matrix=bt709", "-colorspace", "bt709"],
        ...["-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
        ...["-c:v", "libx264", "-crf", "18", "-preset", "fast", "-g", "10", "-pix_fmt", "yuv420p"],
      ]),
  },
  {
    name: "finer-renderer",
    kind: "valid-alternative",
    expected: 1,
    because: "A renderer that places layers to half a pixel and smooths edges otherwise draws the same shot.",
    make: (context) => remake(context, same, { finer: 2 }),
  },
  {
    name: "a-pixel-off",
    kind: "valid-alternative",
    expected: 1,
    because: "Programs count pixels from their corner or centre; a pixel is forgiven.",
    make: (context) => remake(context, movedBy(1)),
  },
];
