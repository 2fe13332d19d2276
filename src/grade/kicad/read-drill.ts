import { bad, ok, type Read } from "../rubric/read.ts";
import type { Place } from "./board.ts";

/** A drilled hole, in millimetres; y runs up. */
export interface Hole {
  readonly at: Place;
  readonly diameter: number;
}

/**
 * Reads an Excellon drill file with decimal points, as KiCad writes it by default; routed slots count by their first end. Bad when it
 * is none, cut off, or has coordinates without a point, whose meaning would have to be guessed.
 */
export function readDrill(text: string, name: string): Read<readonly Hole[]> {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== "M48") return bad(`${name} is not a drill file.`);
  if (!lines.includes("M30")) return bad(`${name} is cut off: M30 is missing.`);
  const unit = lines.some((line) => line.startsWith("INCH")) ? 25.4 : 1;
  const tools = new Map<number, number>();
  const holes: Hole[] = [];
  let diameter: number | undefined;
  let at: Place = [0, 0];
  for (const line of lines) {
    const defined = /^T(\d+)(?:[FS]\d+)*C([\d.]+)/.exec(line);
    const chosen = /^T(\d+)$/.exec(line);
    const place = /^(?:G00|G85)?(?:X(-?[\d.]+))?(?:Y(-?[\d.]+))?(?:G85.*)?$/.exec(line);
    if (defined !== null) tools.set(Number(defined[1]), Number(defined[2]) * unit);
    else if (chosen !== null) diameter = tools.get(Number(chosen[1]));
    else if (place !== null && (place[1] ?? place[2]) !== undefined) {
      if (![place[1] ?? ".", place[2] ?? "."].every((value) => value.includes("."))) {
        return bad(`${name} has coordinates without a decimal point.`);
      }
      at = [
        place[1] === undefined ? at[0] : Number(place[1]) * unit,
        place[2] === undefined ? at[1] : Number(place[2]) * unit,
      ];
      if (diameter === undefined) return bad(`${name} drills with a tool it does not define.`);
      holes.push({ at, diameter });
    }
  }
  return ok(holes);
}
