import type { Outcome } from "../outcome.ts";
import { gradeAgreement } from "../sequence/agreement.ts";
import type { Board, Place } from "./board.ts";
import type { Hole } from "./read-drill.ts";
import type { GerberLayer } from "./read-gerber.ts";

/** Places and sizes are compared to the hundredth of a millimetre. */
const step = 0.01;

/**
 * F1 of what a copper layer's plot draws and what the board has there: tracks by ends and width, pads and vias by place, with their
 * size where the plot uses a plain aperture. Marks for the drill do not matter, and poured zones are not looked at. The
 * origin is KiCad's absolute one, y turned up.
 */
export function compareCopper(plot: GerberLayer, board: Board, layer: string): Outcome {
  const tracks = board.tracks
    .filter((track) => track.layer === layer)
    .map(({ points, width }) => strokeKey(up(points[0] as Place), up(points.at(-1) as Place), width));
  const spots = [
    ...board.pads
      .filter((pad) => pad.layers.includes(layer))
      .map(({ at, size, angle }) => ({ at: up(at), size: turned(size, angle) })),
    ...board.vias.map(({ at, diameter }) => ({ at: up(at), size: [diameter, diameter] as const })),
  ];
  const exposed = plot.flashes.filter(({ clear }) => !clear);
  const macros = new Set(exposed.filter(({ size }) => size === undefined).map(({ at }) => placeKey(at)));
  const wanted = spots.map(({ at, size }) => (macros.has(placeKey(at)) ? placeKey(at) : spotKey(at, size)));
  const known = new Set(wanted);
  const sizes = new Map(spots.map(({ at, size }) => [placeKey(at), size]));
  const flashed = exposed.flatMap(({ at, size }) => {
    if (size === undefined) return [placeKey(at)];
    const key = spotKey(at, size);
    const over = sizes.get(placeKey(at));
    // Within copper that is there anyway: a mark for the drill.
    const isMark = over !== undefined && size[0] <= over[0] && size[1] <= over[1] && !known.has(key);
    return isMark ? [] : [key];
  });
  const drawn = plot.strokes.map(({ from, to, width }) => strokeKey(from, to, width));
  return gradeAgreement([...drawn, ...flashed], [...tracks, ...wanted], {});
}

function turned([width, height]: readonly [number, number], angle: number): readonly [number, number] {
  return Math.abs(Math.round(angle / 90)) % 2 === 1 ? [height, width] : [width, height];
}

/** F1 of the openings of a solder mask and the pads they should lie on, by place. @param side `F` or `B`. */
export function compareMask(plot: GerberLayer, board: Board, side: "F" | "B"): Outcome {
  const open = board.pads
    .filter((pad) => pad.layers.includes(`${side}.Cu`))
    .map(({ at }) => placeKey(up(at)));
  const regions = plot.regions.map(middleOf);
  return gradeAgreement([...plot.flashes.map(({ at }) => at), ...regions].map(placeKey), open, {});
}

/** F1 of the lines of a plotted outline and those of the board. */
export function compareOutline(plot: GerberLayer, board: Board): Outcome {
  const key = (from: Place, to: Place): string => strokeKey(from, to, 0);
  return gradeAgreement(
    plot.strokes.map(({ from, to }) => key(from, to)),
    board.edges.map(([from, to]) => key(up(from), up(to))),
    {},
  );
}

/** F1 of drilled holes and those of pads and vias, by place and diameter. */
export function compareHoles(holes: readonly Hole[], board: Board): Outcome {
  const wanted = [...board.pads.filter((pad) => pad.drill > 0), ...board.vias].map(({ at, drill }) =>
    spotKey(up(at), [drill, drill]),
  );
  return gradeAgreement(
    holes.map(({ at, diameter }) => spotKey(at, [diameter, diameter])),
    wanted,
    {},
  );
}

function up([x, y]: Place): Place {
  return [x, -y];
}

function placeKey([x, y]: Place): string {
  return `${rounded(x)} ${rounded(y)}`;
}

function spotKey(at: Place, [width, height]: readonly [number, number]): string {
  return `${placeKey(at)} of ${rounded(width)} by ${rounded(height)}`;
}

function strokeKey(from: Place, to: Place, width: number): string {
  return `${[placeKey(from), placeKey(to)].sort().join(" to ")} of ${rounded(width)}`;
}

/** In steps; a value in the middle between two goes up on every machine. */
function rounded(value: number): number {
  return Math.floor(value / step + 0.5 + 1e-7) + 0;
}

function middleOf(outline: readonly Place[]): Place {
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  return [middle(outline.map(([x]) => x)), middle(outline.map(([, y]) => y))];
}
