import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;

function editSource({ output }: Context, change: (text: string) => string): void {
  const path = join(output, "part.scad");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** Sets variables in the source and makes the mesh again. */
function remake(context: Context, change: (text: string) => string): void {
  editSource(context, change);
  const [mesh, source] = [join(context.output, "part.stl"), join(context.output, "part.scad")];
  const child = spawnSync("openscad", ["-o", mesh, source], { encoding: "utf8" });
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(child.stderr.slice(-400));
}

function set(name: string, change: (value: number) => number): (text: string) => string {
  return (text) =>
    text.replace(
      new RegExp(`^${name} = ([\\d.]+);`, "m"),
      (_, value: string) => `${name} = ${change(Number(value))};`,
    );
}

/** Moves the numbers of every corner. */
function editMesh({ output }: Context, change: (value: number) => number): void {
  const path = join(output, "part.stl");
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(
      /vertex (\S+) (\S+) (\S+)/g,
      (_, ...found: string[]) =>
        `vertex ${found
          .slice(0, 3)
          .map((value) => change(Number(value)))
          .join(" ")}`,
    ),
  );
}

const box = "solid box\nendsolid box\n";

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content are no part.",
    make: ({ output }) => {
      for (const name of ["part.stl", "part.scad"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "mesh-without-triangles",
    kind: "format-only",
    expected: 0,
    because: "An STL file without a triangle, and variables without a model, are the form only.",
    make: (context) => {
      writeFileSync(join(context.output, "part.stl"), box);
      editSource(context, (text) => text.slice(0, text.indexOf("$fn")));
    },
  },
  {
    name: "drawing-as-part",
    kind: "copied-input",
    expected: 0,
    because: "The drawing is not the part.",
    make: ({ input, output }) => {
      for (const name of ["part.stl", "part.scad"])
        copyFileSync(join(input, "drawing.pdf"), join(output, name));
    },
  },
  {
    name: "in-inches",
    kind: "unit-error",
    expected: 0,
    because: "A part 25.4 times too small has another volume.",
    make: (context) => editMesh(context, (value) => value / 25.4),
  },
  {
    name: "half-of-the-mesh",
    kind: "truncated",
    expected: 0,
    because: "A mesh cut off is not closed.",
    make: ({ output }) => {
      const path = join(output, "part.stl");
      const facets = readFileSync(path, "utf8").split("  facet");
      writeFileSync(path, `${facets.slice(0, facets.length / 2).join("  facet")}endsolid part\n`);
    },
  },
  {
    name: "without-source",
    kind: "near-miss",
    expected: [0.74, 0.76],
    because: "The source is a quarter of the work.",
    make: ({ output }) => rmSync(join(output, "part.scad")),
  },
  {
    name: "heights-from-the-underside",
    kind: "near-miss",
    expected: [0.4, 0.9],
    because:
      "Who takes the boss's height over all for its height above the plate makes it too high by the plate.",
    make: (context) =>
      remake(context, (text) => {
        const thick = Number(/^plate_thickness = ([\d.]+)/m.exec(text)?.[1]);
        return set("boss_height", (value) => value + thick)(text);
      }),
  },
  {
    name: "forgotten-chamfers",
    kind: "near-miss",
    expected: [0.8, 0.98],
    because: "One feature of eleven is missing in the part; the source has it.",
    make: (context) =>
      remake(
        context,
        set("wall_chamfer", () => 0.01),
      ),
  },
  {
    name: "bore-half-a-millimetre-wide",
    kind: "off-tolerance",
    expected: [0.9, 0.99],
    because: "A bore half a millimetre too wide lies a quarter of a millimetre beside its face.",
    make: (context) =>
      remake(
        context,
        set("bore_diameter", (value) => value + 0.5),
      ),
  },
  {
    name: "frozen-source",
    kind: "near-miss",
    expected: [0.74, 0.85],
    because: "A source whose plate thickness and width cannot be set makes no other size.",
    make: (context) =>
      editSource(context, (text) => {
        const [variables = "", model = ""] = text.split("$fn");
        const frozen = [...variables.matchAll(/^(\w+) = ([\d.]+);/gm)].reduce(
          (written, [, name = "", value = ""]) => written.replaceAll(new RegExp(`\\b${name}\\b`, "g"), value),
          model,
        );
        return `${variables}$fn${frozen}`;
      }),
  },
  {
    name: "finer-curves",
    kind: "valid-alternative",
    expected: 1,
    because: "Any number of segments from 64 on, and a text of one's own beside the model, are free.",
    make: (context) =>
      remake(context, (text) => `// A bracket.\n${text.replace("$fn = 64;", "$fn = 100; // finer")}`),
  },
  {
    name: "binary-mesh",
    kind: "valid-alternative",
    expected: 1,
    because: "STL may be binary.",
    make: ({ output }) => {
      const path = join(output, "part.stl");
      const found = [...readFileSync(path, "utf8").matchAll(/vertex (\S+) (\S+) (\S+)/g)];
      const numbers = found.flatMap(([, x, y, z]) => [Number(x), Number(y), Number(z)]);
      const count = numbers.length / 9;
      const bytes = Buffer.alloc(84 + 50 * count);
      bytes.writeUInt32LE(count, 80);
      for (const [index, value] of numbers.entries()) {
        bytes.writeFloatLE(value, 84 + 50 * Math.floor(index / 9) + 12 + 4 * (index % 9));
      }
      writeFileSync(path, bytes);
    },
  },
];
