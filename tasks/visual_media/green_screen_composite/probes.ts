import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";
import { composite, differenceKey } from "./solve/composite.ts";
import { wallColour } from "./solve/wall-colour.ts";

type Context = ProbeContext<Params>;

/** Makes the shot anew with other settings, and then, if asked for, converts it. */
function remake(
  { input, output, params }: Context,
  changes: Partial<Params> & { readonly key?: string },
  convert?: readonly string[],
): void {
  const footage = join(input, "footage.y4m");
  const into = join(output, "composite.mp4");
  const key = differenceKey(wallColour(footage));
  run(composite({ ...params, key, footage, plate: join(input, "background.ppm"), into, ...changes }));
  if (convert === undefined) return;
  const converted = join(output, "converted.mp4");
  run(["-nostdin", "-v", "error", "-y", "-i", into, ...convert, "-threads", "1", converted]);
  copyFileSync(converted, into);
  rmSync(converted);
}

function run(argv: readonly string[]): void {
  const { status, stderr } = spawnSync("ffmpeg", argv, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`);
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-file",
    kind: "empty",
    expected: 0,
    because: "A file without content is no shot.",
    make: ({ output }) => writeFileSync(join(output, "composite.mp4"), ""),
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The footage is not composited with anything.",
    make: ({ input, output }) => copyFileSync(join(input, "footage.y4m"), join(output, "composite.mp4")),
  },
  {
    name: "footage-recoded",
    kind: "copied-input",
    expected: 0,
    because: "In the right format the green wall is still there.",
    make: (context) => remake(context, { key: "format=gbrap" }),
  },
  {
    name: "plate-only",
    kind: "format-only",
    expected: 0,
    because: "The right length of the bare plate has nobody in it.",
    make: (context) => remake(context, { key: "format=gbrap,geq=r=0:g=0:b=0:a=0" }),
  },
  {
    name: "hard-key",
    kind: "near-miss",
    expected: [0.2, 0.75],
    because: "A key without a soft edge and without despill leaves a jagged green outline.",
    make: (context) => remake(context, { key: "chromakey=color=0x28b846:similarity=0.2:blend=0.0" }),
  },
  {
    name: "no-despill",
    kind: "near-miss",
    expected: [0.7, 0.97],
    because: "The key is good, but green light is left on the figure.",
    make: (context) => {
      const key = differenceKey(wallColour(join(context.input, "footage.y4m")));
      remake(context, { key: key.replace(/g='(st\(.*?\));min\((.*?),\(clip.*?\)\/2\)'/, "g='$1;$2'") });
    },
  },
  {
    name: "one-frame-late",
    kind: "off-tolerance",
    expected: [0.65, 0.95],
    because: "The figure lags a frame behind: it is never where it should be at its time.",
    make: (context) => remake(context, { enters: context.params.enters + 1 }),
  },
  {
    name: "seconds-for-frames",
    kind: "unit-error",
    expected: [0, 0.6],
    because: "An entrance counted at 30 frames a second is too late by a sixth.",
    make: (context) => remake(context, { enters: Math.round((context.params.enters * 30) / 25) }),
  },
  {
    name: "half-the-shot",
    kind: "truncated",
    expected: [0.8, 0.92],
    because: "Half of the frames are missing; timing is a quarter of the score.",
    make: (context) =>
      remake(context, {}, ["-frames:v", String(Math.floor(context.params.frames / 2)), "-c", "copy"]),
  },
  {
    name: "file-cut-off",
    kind: "truncated",
    expected: 0,
    because: "A file whose end is missing does not open.",
    make({ output }) {
      const path = join(output, "composite.mp4");
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  },
  {
    name: "at-thirty-frames",
    kind: "unit-error",
    expected: 0,
    because: "25 frames a second were asked for.",
    make: (context) => remake(context, {}, ["-r", "30", "-c:v", "libx264"]),
  },
  {
    name: "another-encoder-setting",
    kind: "valid-alternative",
    expected: 1,
    because: "Another quality, speed and key-frame distance, and a silent sound track, leave the same shot.",
    make: (context) =>
      remake(context, {}, [
        "-f",
        "lavfi",
        "-i",
        "anullsrc=r=48000",
        "-shortest",
        "-c:v",
        "libx264",
        "-crf",
        "14",
        "-preset",
        "fast",
        "-g",
        "10",
        "-c:a",
        "aac",
      ]),
  },
  {
    name: "somewhat-tighter-key",
    kind: "valid-alternative",
    expected: 1,
    because: "A key that takes the wall's colour a little differently is as good.",
    make: (context) => {
      const [red, green, blue] = wallColour(join(context.input, "footage.y4m"));
      remake(context, { key: differenceKey([red, green + 4, blue]) });
    },
  },
];
