import type { Board } from "./board.ts";
import { nearPairs } from "./check-board.ts";
import { copperOf, gapBetween } from "./copper.ts";

/** The nets whose pads are not all joined by copper of their own. */
export function findOpenNets(board: Board): readonly string[] {
  const pieces = copperOf(board).filter(({ net }) => net !== "");
  const numbers = new Map(pieces.map((piece, index) => [piece, index]));
  const parents = pieces.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    parents[index] = root;
    return root;
  };
  for (const [one, other] of nearPairs(pieces, 0)) {
    if (one.net !== other.net || gapBetween(one, other) > 0) continue;
    parents[rootOf(numbers.get(one) as number)] = rootOf(numbers.get(other) as number);
  }
  const islands = new Map<string, Set<number>>();
  for (const [index, { net, name }] of pieces.entries()) {
    if (!name.includes(".")) continue;
    islands.set(net, (islands.get(net) ?? new Set()).add(rootOf(index)));
  }
  return [...islands].filter(([, roots]) => roots.size > 1).map(([net]) => net);
}
