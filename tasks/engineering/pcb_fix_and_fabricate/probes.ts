import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;

const plots = (output: string): readonly string[] =>
  readdirSync(join(output, "fabrication")).map((name) => join("fabrication", name));

function edit({ output }: Context, name: string, change: (text: string) => string): void {
  const path = join(output, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content are no board.",
    make({ output }) {
      for (const name of ["board.kicad_pcb", ...plots(output)]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "board-as-it-was",
    kind: "copied-input",
    expected: 0,
    because: "Nothing is mended.",
    make: ({ input, output }) =>
      copyFileSync(join(input, "board.kicad_pcb"), join(output, "board.kicad_pcb")),
  },
  {
    name: "empty-board",
    kind: "format-only",
    expected: 0,
    because: "A board without parts breaks no rule and is no board.",
    make: (context) =>
      edit(
        context,
        "board.kicad_pcb",
        () => '(kicad_pcb (version 20211014) (generator pcbnew) (net 0 ""))\n',
      ),
  },
  {
    name: "no-tracks",
    kind: "near-miss",
    expected: 0,
    because: "Without tracks no rule is broken, but no net is connected.",
    make: (context) =>
      edit(context, "board.kicad_pcb", (text) => text.replace(/^\s*\((segment|via) .*\)$/gm, "")),
  },
  {
    name: "moved-part",
    kind: "near-miss",
    expected: 0,
    because: "A part that was moved no longer fits the case.",
    make: (context) =>
      edit(context, "board.kicad_pcb", (text) =>
        text.replace(
          /(\(footprint .*?\(at )([\d.]+)/s,
          (_, before: string, x: string) => `${before}${Number(x) + 0.635}`,
        ),
      ),
  },
  {
    name: "board-alone",
    kind: "near-miss",
    expected: [0.64, 0.66],
    because: "The plots are 35 % of the work.",
    make: ({ output }) => rmSync(join(output, "fabrication"), { recursive: true }),
  },
  {
    name: "stale-plots",
    kind: "near-miss",
    expected: [0.75, 0.99],
    because: "A track taken away after plotting is still in the plots, and opens a net.",
    make: (context) => edit(context, "board.kicad_pcb", (text) => text.replace(/^\s*\(segment .*\)$/m, "")),
  },
  {
    name: "track-a-hair-too-thin",
    kind: "off-tolerance",
    expected: [0.8, 0.99],
    because: "One net with a track 0.02 mm too thin breaks a rule, and its plot differs.",
    make: (context) =>
      edit(context, "board.kicad_pcb", (text) =>
        text.replace(
          /(\(segment .*?\(width )[\d.]+/,
          (_, before: string) => before + (context.params.track - 0.02),
        ),
      ),
  },
  {
    name: "holes-in-inches",
    kind: "unit-error",
    expected: [0.89, 0.91],
    because: "Numbers of millimetres said to be inches drill nowhere on the board.",
    make: (context) => edit(context, "fabrication/board.drl", (text) => text.replace(/^METRIC/m, "INCH")),
  },
  {
    name: "half-of-the-plots",
    kind: "truncated",
    expected: [0.65, 0.9],
    because: "Plots cut off are not read.",
    make: (context) => {
      for (const name of ["fabrication/board-F_Cu.gbr", "fabrication/board-B_Cu.gbr"]) {
        edit(context, name, (text) => text.slice(0, text.length / 2));
      }
    },
  },
  {
    name: "half-of-the-board",
    kind: "truncated",
    expected: 0,
    because: "A board cut off does not open.",
    make: (context) => edit(context, "board.kicad_pcb", (text) => text.slice(0, text.length / 2)),
  },
  {
    name: "other-order-and-turned-tracks",
    kind: "valid-alternative",
    expected: 1,
    because: "Which end of a track is its start, and in which order tracks and strokes stand, means nothing.",
    make: (context) => {
      edit(context, "board.kicad_pcb", (text) => {
        const lines = text.trimEnd().split("\n");
        const isTrack = (line: string): boolean => /^\s*\((segment|via) /.test(line);
        const turned = lines
          .filter(isTrack)
          .map((line) => line.replace(/\(start ([^)]*)\) \(end ([^)]*)\)/, "(start $2) (end $1)"));
        const rest = lines.filter((line) => !isTrack(line));
        return `${[...rest.slice(0, -1), ...context.random.shuffle(turned), rest.at(-1)].join("\n")}\n`;
      });
      edit(context, "fabrication/board-F_Cu.gbr", (text) =>
        text.replace("G04 ", "G04 checked by hand* G04 "),
      );
    },
  },
];
