import { bad, ok, type Read } from "../rubric/read.ts";
import type { Place } from "./board.ts";

/** A drawing stroke: a line or an arc's chord, with the diameter of a round aperture. */
export interface Stroke {
  readonly from: Place;
  readonly to: Place;
  readonly width: number;
}

/** An aperture exposed at a place. */
export interface Flash {
  readonly at: Place;
  /** Takes away instead of adding, as marks for the drill do. */
  readonly clear: boolean;
  /** Width and height of its box; `undefined` for an aperture of a macro. */
  readonly size: readonly [width: number, height: number] | undefined;
}

/** The picture of a layer, in millimetres; y runs up. */
export interface GerberLayer {
  readonly strokes: readonly Stroke[];
  readonly flashes: readonly Flash[];
  /** Filled outlines. */
  readonly regions: readonly (readonly Place[])[];
}

interface Aperture {
  readonly shape: string;
  readonly sizes: readonly number[];
}

const maxOperations = 500_000;

/**
 * Reads a Gerber file (RS-274X or X2) as programs for boards plot it: standard apertures and macros, lines, arcs by their ends,
 * regions. Bad when it is none, is not closed by M02, or steps and repeats.
 */
export function readGerber(text: string, name: string): Read<GerberLayer> {
  const reader = new GerberReader();
  // Extended commands stand between percent signs, and may hold several words.
  for (const match of text.matchAll(/%([^%]*)%|([^*%]+)\*/g)) {
    const extended = match[1];
    if (extended === undefined) reader.word((match[2] as string).trim());
    else reader.extended(extended.trim());
    if (reader.problem !== undefined) return bad(`${name} cannot be read as Gerber: ${reader.problem}.`);
    if (reader.isEnded) break;
  }
  if (!reader.hasFormat) return bad(`${name} is not a Gerber file.`);
  return reader.isEnded ? ok(reader) : bad(`${name} is cut off: M02 is missing.`);
}

class GerberReader implements GerberLayer {
  readonly strokes: Stroke[] = [];
  readonly flashes: Flash[] = [];
  readonly regions: Place[][] = [];
  problem: string | undefined;
  isEnded = false;
  hasFormat = false;
  readonly #apertures = new Map<number, Aperture>();
  #decimals = [6, 6];
  #unit = 1;
  #at: Place = [0, 0];
  #aperture: Aperture | undefined;
  #outline: Place[] | undefined;
  #lastOperation = 0;
  #count = 0;
  #clear = false;

  extended(command: string): void {
    const format = /^FSLAX\d(\d)Y\d(\d)/.exec(command);
    const aperture = /^ADD(\d+)([A-Za-z_$.][\w$.]*)(?:,([^*]*))?\*/.exec(command);
    if (format !== null) {
      this.#decimals = [Number(format[1]), Number(format[2])];
      this.hasFormat = true;
    } else if (aperture !== null) {
      const sizes = (aperture[3] ?? "").split("X").map(Number);
      this.#apertures.set(Number(aperture[1]), { shape: aperture[2] as string, sizes });
    } else if (command.startsWith("MOIN")) this.#unit = 25.4;
    else if (/^LP[CD]/.test(command)) this.#clear = command.startsWith("LPC");
    else if (/^SR./.test(command) && !/^SR\*/.test(command)) this.problem = "it steps and repeats";
  }

  word(word: string): void {
    if (++this.#count > maxOperations) this.problem = "it is too long";
    if (word === "M02" || word === "M00") this.isEnded = true;
    else if (word === "G36") this.#outline = [];
    else if (word === "G37") this.#closeRegion();
    else if (!word.startsWith("G04")) this.#operate(word);
  }

  #operate(word: string): void {
    const select = /^(?:G54)?D([1-9]\d+)$/.exec(word);
    if (select !== null) {
      this.#aperture = this.#apertures.get(Number(select[1]));
      return;
    }
    const match =
      /^(?:G0?[123]|G7[45])*(?:X([+-]?\d+))?(?:Y([+-]?\d+))?(?:I[+-]?\d+)?(?:J[+-]?\d+)?(?:D0?([123]))?$/.exec(
        word,
      );
    if (match === null) return;
    const [, x, y, code] = match;
    if (x === undefined && y === undefined && code === undefined) return;
    this.#lastOperation = code === undefined ? this.#lastOperation : Number(code);
    const to: Place = [this.#coordinate(x, 0), this.#coordinate(y, 1)];
    if (this.#outline !== undefined) {
      if (this.#lastOperation === 2) this.#closeRegion(true);
      this.#outline?.push(to);
    } else if (this.#lastOperation === 1) {
      this.strokes.push({ from: this.#at, to, width: (this.#aperture?.sizes[0] ?? 0) * this.#unit });
    } else if (this.#lastOperation === 3)
      this.flashes.push({ at: to, clear: this.#clear, size: this.#size() });
    this.#at = to;
  }

  #closeRegion(goesOn = false): void {
    if (this.#outline !== undefined && this.#outline.length > 2) this.regions.push(this.#outline);
    this.#outline = goesOn ? [] : undefined;
  }

  #coordinate(digits: string | undefined, axis: 0 | 1): number {
    if (digits === undefined) return this.#at[axis];
    return (Number(digits) / 10 ** (this.#decimals[axis] as number)) * this.#unit;
  }

  #size(): Flash["size"] {
    const { shape, sizes } = this.#aperture ?? { shape: "", sizes: [] };
    const [first = 0, second = first] = sizes.map((value) => value * this.#unit);
    if (shape === "C" || shape === "P") return [first, first];
    return shape === "R" || shape === "O" ? [first, second] : undefined;
  }
}
