import { type Board, copperLayers, type Place, type Track, type Via } from "ale/grade/kicad/board";
import type { BoardRules } from "ale/grade/kicad/check-board";
import { type Copper, copperOf, gapBetween, gapToLine } from "ale/grade/kicad/copper";

/** The grid on which tracks run, in millimetres; every pad of the house's footprints has its centre on it. */
export const grid = 0.635;

export interface Routing {
  readonly tracks: readonly Track[];
  readonly vias: readonly Via[];
}

/** A cell of the grid on a layer. */
interface Cell {
  readonly layer: number;
  readonly column: number;
  readonly row: number;
}

const viaCost = 8;

/**
 * Joins the pads of every net by tracks on a grid, nets in the order given (Lee's maze search, each pad joined to what its
 * net has so far). `undefined` when a net finds no way: try another order.
 */
export function routeBoard(board: Board, rules: BoardRules, order: readonly string[]): Routing | undefined {
  const maze = new Maze(board, rules);
  const tracks: Track[] = [];
  const vias: Via[] = [];
  for (const net of order) {
    const pads = copperOf({ ...board, tracks: [], vias: [], pours: [] }).filter((piece) => piece.net === net);
    const [first, ...others] = pads.map((pad) => maze.cellsOf(pad));
    const joined: Cell[] = [...(first ?? [])];
    for (const target of others) {
      const path = maze.findWay(net, joined, target);
      if (path === undefined) return undefined;
      joined.push(...path, ...target);
      const made = maze.layOut(net, path);
      tracks.push(...made.tracks);
      vias.push(...made.vias);
      for (const piece of copperOf({ ...board, pads: [], pours: [], ...made })) maze.block(piece);
    }
  }
  return { tracks, vias };
}

class Maze {
  readonly #rules: BoardRules;
  readonly #left: number;
  readonly #top: number;
  readonly #columns: number;
  readonly #rows: number;
  /** Of each cell: nets whose copper is too near for a track, and for a via. */
  readonly #nearTrack: Set<string>[][];
  readonly #nearVia: Set<string>[][];

  constructor(board: Board, rules: BoardRules) {
    this.#rules = rules;
    const corners = board.edges.flat();
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    this.#left = Math.min(...xs);
    this.#top = Math.min(...ys);
    this.#columns = Math.round((Math.max(...xs) - this.#left) / grid) + 1;
    this.#rows = Math.round((Math.max(...ys) - this.#top) / grid) + 1;
    const empty = (): Set<string>[][] =>
      copperLayers.map(() => Array.from({ length: this.#columns * this.#rows }, () => new Set<string>()));
    this.#nearTrack = empty();
    this.#nearVia = empty();
    for (const piece of copperOf({ ...board, tracks: [], vias: [], pours: [] })) this.block(piece);
    const size = Math.max(rules.viaDiameter, rules.trackWidth);
    for (let column = 0; column < this.#columns; column++) {
      for (let row = 0; row < this.#rows; row++) {
        const spot = this.#spot(this.#place({ layer: 0, column, row }), size / 2);
        if (board.edges.every((edge) => gapToLine(spot, edge) >= rules.edgeClearance)) continue;
        for (const layer of [0, 1])
          this.#setAt(this.#nearTrack, { layer, column, row }).add("edge").add("board");
      }
    }
  }

  /** Keeps other nets away from a piece of copper. */
  block(piece: Copper): void {
    const reach = piece.radius + this.#rules.clearance + this.#rules.viaDiameter;
    const [xs, ys] = [piece.points.map(([x]) => x), piece.points.map(([, y]) => y)];
    const range = (low: number, high: number, origin: number, count: number): readonly number[] => {
      const from = Math.max(0, Math.floor((low - reach - origin) / grid));
      const to = Math.min(count - 1, Math.ceil((high + reach - origin) / grid));
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    };
    for (const column of range(Math.min(...xs), Math.max(...xs), this.#left, this.#columns)) {
      for (const row of range(Math.min(...ys), Math.max(...ys), this.#top, this.#rows)) {
        const gap =
          gapBetween(this.#spot(this.#place({ layer: 0, column, row }), 0), piece) - this.#rules.clearance;
        for (const layer of piece.layers.map((name) => copperLayers.indexOf(name))) {
          const cell = { layer, column, row };
          if (gap < this.#rules.trackWidth / 2)
            this.#setAt(this.#nearTrack, cell).add(piece.net || piece.name);
          if (gap < this.#rules.viaDiameter / 2)
            this.#setAt(this.#nearVia, cell).add(piece.net || piece.name);
        }
      }
    }
  }

  cellsOf(pad: Copper): readonly Cell[] {
    const [xs, ys] = [pad.points.map(([x]) => x), pad.points.map(([, y]) => y)];
    const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
    const column = Math.round((middle(xs) - this.#left) / grid);
    const row = Math.round((middle(ys) - this.#top) / grid);
    return pad.layers.map((name) => ({ layer: copperLayers.indexOf(name), column, row }));
  }

  /** The cheapest way from any of some cells to any of others, ends included. */
  findWay(net: string, from: readonly Cell[], to: readonly Cell[]): readonly Cell[] | undefined {
    const goals = new Set(to.map((cell) => this.#index(cell)));
    const cost = new Map<number, number>();
    const before = new Map<number, Cell | undefined>();
    const waiting: Cell[][] = [];
    const reach = (cell: Cell, price: number, previous: Cell | undefined): void => {
      const index = this.#index(cell);
      if ((cost.get(index) ?? Number.POSITIVE_INFINITY) <= price) return;
      cost.set(index, price);
      before.set(index, previous);
      waiting[price] ??= [];
      waiting[price].push(cell);
    };
    for (const cell of from) reach(cell, 0, undefined);
    for (let price = 0; price < waiting.length; price++) {
      for (const cell of waiting[price] ?? []) {
        if (cost.get(this.#index(cell)) !== price) continue;
        if (goals.has(this.#index(cell))) return this.#trace(cell, before);
        for (const { next, step } of this.#neighbours(cell)) {
          if (this.#isFree(net, next, step === viaCost ? cell : undefined)) reach(next, price + step, cell);
        }
      }
    }
    return undefined;
  }

  #trace(end: Cell, before: ReadonlyMap<number, Cell | undefined>): readonly Cell[] {
    const path: Cell[] = [];
    for (let cell: Cell | undefined = end; cell !== undefined; cell = before.get(this.#index(cell)))
      path.unshift(cell);
    return path;
  }

  #neighbours({ layer, column, row }: Cell): readonly { readonly next: Cell; readonly step: number }[] {
    // Along its own direction a layer is cheaper, so that tracks of the two cross.
    const [across, down] = layer === 0 ? [1, 2] : [2, 1];
    return [
      { next: { layer, column: column + 1, row }, step: across },
      { next: { layer, column: column - 1, row }, step: across },
      { next: { layer, column, row: row + 1 }, step: down },
      { next: { layer, column, row: row - 1 }, step: down },
      { next: { layer: 1 - layer, column, row }, step: viaCost },
    ];
  }

  #isFree(net: string, cell: Cell, viaFrom: Cell | undefined): boolean {
    if (cell.column < 0 || cell.row < 0 || cell.column >= this.#columns || cell.row >= this.#rows)
      return false;
    const isOwn = (near: ReadonlySet<string>): boolean =>
      near.size === 0 || (near.size === 1 && near.has(net));
    if (!isOwn(this.#setAt(this.#nearTrack, cell))) return false;
    return viaFrom === undefined || [cell, viaFrom].every((end) => isOwn(this.#setAt(this.#nearVia, end)));
  }

  /** A path as straight tracks, and vias where it changes the layer. */
  layOut(net: string, path: readonly Cell[]): Routing {
    const tracks: Track[] = [];
    const vias: Via[] = [];
    let start = 0;
    for (let index = 1; index <= path.length; index++) {
      const [first, last] = [path[start] as Cell, path[index - 1] as Cell];
      const next = path[index];
      const goesOn =
        next !== undefined &&
        next.layer === first.layer &&
        ((next.column === first.column && last.column === first.column) ||
          (next.row === first.row && last.row === first.row));
      if (goesOn) continue;
      if (last !== first) {
        const points = [this.#place(first), this.#place(last)];
        tracks.push({
          net,
          layer: copperLayers[first.layer] as string,
          width: this.#rules.trackWidth,
          points,
        });
      }
      if (next !== undefined && next.layer !== last.layer) {
        vias.push({
          net,
          at: this.#place(last),
          diameter: this.#rules.viaDiameter,
          drill: this.#rules.viaDrill,
        });
        start = index;
      } else {
        start = index - 1;
      }
    }
    return { tracks, vias };
  }

  #place({ column, row }: Cell): Place {
    const tidy = (value: number): number => Number(value.toFixed(4));
    return [tidy(this.#left + column * grid), tidy(this.#top + row * grid)];
  }

  #spot(at: Place, radius: number): Copper {
    return { net: "", layers: copperLayers, points: [at], radius, filled: false, name: "spot" };
  }

  #setAt(sets: readonly Set<string>[][], { layer, column, row }: Cell): Set<string> {
    return sets[layer]?.[row * this.#columns + column] as Set<string>;
  }

  #index({ layer, column, row }: Cell): number {
    return (layer * this.#rows + row) * this.#columns + column;
  }
}
