import { numberText } from "../number/number-text.ts";
import type { Board } from "./board.ts";
import { type Copper, copperOf, gapBetween, gapToLine } from "./copper.ts";

/** What a board must keep, in millimetres. */
export interface BoardRules {
  readonly clearance: number;
  readonly trackWidth: number;
  readonly viaDiameter: number;
  readonly viaDrill: number;
  readonly edgeClearance: number;
}

export interface Violation {
  readonly rule: keyof BoardRules | "outside";
  /** Of what is at fault: one net, or two that come too near to each other. */
  readonly nets: readonly string[];
  /** In words, e.g. `track to R1.2: 0.12 mm`. */
  readonly what: string;
}

/** Lengths are compared with this much grace, for files are rounded to the micrometre. */
const grace = 0.001;

/** Clearances between nets and to the edge, widths of tracks, sizes of vias. Gaps between pads are the footprints' affair. */
export function findViolations(board: Board, rules: BoardRules): readonly Violation[] {
  const pieces = copperOf(board);
  const violations: Violation[] = [];
  const violation = (
    rule: keyof BoardRules,
    nets: readonly string[],
    what: string,
    value: number,
  ): Violation => {
    const isBelow = (length: number): boolean => length < rules[rule];
    const text = numberText(value, (shown) => isBelow(shown) === isBelow(value));
    return { rule, nets, what: `${what}: ${text} mm` };
  };
  for (const { net, width } of board.tracks) {
    if (width < rules.trackWidth - grace) violations.push(violation("trackWidth", [net], "track", width));
  }
  for (const { net, diameter, drill } of board.vias) {
    if (diameter < rules.viaDiameter - grace)
      violations.push(violation("viaDiameter", [net], "via", diameter));
    if (drill < rules.viaDrill - grace || drill >= diameter)
      violations.push(violation("viaDrill", [net], "hole", drill));
  }
  const isPad = (piece: Copper): boolean => piece.name.includes(".");
  const routed = pieces.filter((piece) => !isPad(piece));
  for (const piece of routed) {
    const gap = Math.min(...board.edges.map((edge) => gapToLine(piece, edge)));
    if (gap < rules.edgeClearance - grace)
      violations.push(violation("edgeClearance", [piece.net], piece.name, gap));
    else if (!isOnBoard(board, piece))
      violations.push({ rule: "outside", nets: [piece.net], what: piece.name });
  }
  for (const [one, other] of nearPairs(pieces, rules.clearance)) {
    if (one.net === other.net || (isPad(one) && isPad(other))) continue;
    const gap = gapBetween(one, other);
    if (gap >= rules.clearance - grace) continue;
    violations.push(violation("clearance", [one.net, other.net], `${one.name} to ${other.name}`, gap));
  }
  return violations;
}

/** The first place of a piece lies within the outline. */
function isOnBoard({ edges }: Board, { points }: Copper): boolean {
  const [x, y] = points[0] ?? [Number.NaN, Number.NaN];
  let inside = false;
  for (const [[ax, ay], [bx, by]] of edges) {
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** Pieces that share a layer and whose boxes come nearer than `reach`; found by sweeping along x. */
export function* nearPairs(pieces: readonly Copper[], reach: number): Generator<readonly [Copper, Copper]> {
  const boxed = pieces.map((piece) => ({ piece, box: boxOf(piece) })).sort((a, b) => a.box.left - b.box.left);
  let open: typeof boxed = [];
  for (const next of boxed) {
    open = open.filter(({ box }) => box.right + reach >= next.box.left);
    for (const { piece, box } of open) {
      const isNear = box.top <= next.box.bottom + reach && next.box.top <= box.bottom + reach;
      if (isNear && piece.layers.some((layer) => next.piece.layers.includes(layer)))
        yield [piece, next.piece];
    }
    open.push(next);
  }
}

function boxOf({ points, radius }: Copper) {
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const [x, y] of points) {
    [left, right] = [Math.min(left, x - radius), Math.max(right, x + radius)];
    [top, bottom] = [Math.min(top, y - radius), Math.max(bottom, y + radius)];
  }
  return { left, right, top, bottom };
}
