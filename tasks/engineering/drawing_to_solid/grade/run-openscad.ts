import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bad, ok, type Read } from "ale/grade/rubric/read";
import { type Dimensions, dimensionNames } from "../part/dimensions.ts";

const mostMilliseconds = 120_000;

/** The mesh that an agent's source makes with other values; bad when it makes none in time. Throws without OpenSCAD. */
export function runOpenScad(source: string, values: Dimensions, scratch: string): Read<Uint8Array> {
  const [copy, result] = [join(scratch, "part.scad"), join(scratch, "other.stl")];
  copyFileSync(source, copy);
  const settings = dimensionNames.flatMap((name) => ["-D", `${name}=${values[name]}`]);
  const child = spawnSync("openscad", ["-o", result, ...settings, copy], {
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
  if (child.status !== 0) return bad(`OpenSCAD does not make part.scad: ${lastLine(child.stderr)}`);
  return ok(readFileSync(result));
}

/** The first thing it complains about. */
function lastLine(said: string): string {
  const line = said.split("\n").find((text) => /error/i.test(text)) ?? "it ends without a mesh";
  return line.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 160);
}
