import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bad, ok, type Read } from "ale/grade/rubric/read";
import { type Dimensions, dimensionNames } from "../part/dimensions.ts";

const mostMilliseconds = 120_000;

/** The mesh that an agent's source makes with other values; bad when it makes none in time. Throws without OpenSCAD. */
export function runOpenScad(source: string, values: Dimensions, scratch: string): Read<Uint8Array> {
  const copy = join(scratch, "part.scad");
  copyFileSync(source, copy);
  const settings = dimensionNames.flatMap((name) => ["-D", `${name}=${values[name]}`]);
  return run(join(scratch, "other.stl"), [...settings, copy], scratch);
}

/** What each variable is in an agent's source, in the order of their names; evaluated without making a mesh. */
export function readVariables(source: string, scratch: string): Read<readonly number[]> {
  const copy = join(scratch, "variables.scad");
  writeFileSync(
    copy,
    `${readFileSync(source, "utf8")}\n;echo("variables are", ${dimensionNames.join(", ")});\n`,
  );
  const said = run(join(scratch, "variables.echo"), [copy], scratch);
  if (said.kind === "bad") return said;
  const last = new TextDecoder()
    .decode(said.value)
    .split("\n")
    .findLast((line) => line.includes('"variables are"'));
  const values = (last ?? "")
    .split(",")
    .slice(1)
    .map((value) => (value.trim() === "undef" ? Number.NaN : Number(value)));
  return values.length === dimensionNames.length
    ? ok(values)
    : bad("part.scad does not say what its variables are.");
}

function run(result: string, rest: readonly string[], scratch: string): Read<Uint8Array> {
  const child = spawnSync("openscad", ["-o", result, ...rest], {
    cwd: scratch,
    encoding: "utf8",
    timeout: mostMilliseconds,
    killSignal: "SIGKILL",
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: scratch,
      LANG: "C.UTF-8",
      QT_QPA_PLATFORM: "offscreen",
    },
  });
  if (child.error !== undefined && (child.error as NodeJS.ErrnoException).code === "ENOENT")
    throw child.error;
  if (child.signal !== null) return bad("OpenSCAD did not make part.scad within two minutes.");
  if (child.status !== 0) return bad(`OpenSCAD does not make part.scad: ${complaint(child.stderr)}`);
  return ok(readFileSync(result));
}

/** The first thing it complains about. */
function complaint(said: string): string {
  const line = said.split("\n").find((text) => /error/i.test(text)) ?? "it ends without a mesh";
  return line.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 160);
}
