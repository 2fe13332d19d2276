import type { Board, Place, Track } from "ale/grade/kicad/board";
import { type BoardRules, findViolations } from "ale/grade/kicad/check-board";
import { findOpenNets } from "ale/grade/kicad/find-open-nets";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";

type Random = GenerateContext<Params>["random"];

/** A routed board with what a hurried layout leaves behind: each kind of fault in nets of its own. */
export function plantFaults(board: Board, rules: BoardRules, random: Random): Board {
  const nets = random.shuffle(board.nets.filter((net) => net !== "GND" && net !== "VCC"));
  let result = board;
  const plant = (times: number, change: (board: Board, net: string) => Board | undefined): void => {
    for (let done = 0; done < times; ) {
      const net = nets.pop();
      if (net === undefined) throw new Error("too few nets to plant the faults in");
      const changed = change(result, net);
      if (changed === undefined) continue;
      result = changed;
      done++;
    }
  };
  plant(1, thinVia);
  plant(2, (one, net) => shortcut(one, net, rules));
  plant(2, (one, net) => cutTrack(one, net, random));
  plant(2, (one, net) => thinTrack(one, net, rules));
  plant(1, (one, net) => alongTheEdge(one, net));
  return result;
}

function thinVia(board: Board, net: string): Board | undefined {
  if (!board.vias.some((via) => via.net === net)) return undefined;
  return {
    ...board,
    vias: board.vias.map((via) => (via.net === net ? { ...via, diameter: 0.4, drill: 0.2 } : via)),
  };
}

/** Straight from pad to pad, over whatever lies between. */
function shortcut(board: Board, net: string, rules: BoardRules): Board | undefined {
  const [first, second] = board.pads.filter((pad) => pad.net === net);
  if (first === undefined || second === undefined) return undefined;
  const track: Track = { net, layer: "F.Cu", width: rules.trackWidth, points: [first.at, second.at] };
  const changed: Board = {
    ...board,
    tracks: [...board.tracks.filter((one) => one.net !== net), track],
    vias: board.vias.filter((via) => via.net !== net),
  };
  const pads = board.pads.filter((pad) => pad.net === net);
  const own = findViolations(changed, rules).some((violation) => violation.nets.includes(net));
  return own && pads.length === 2 ? changed : undefined;
}

function cutTrack(board: Board, net: string, random: Random): Board | undefined {
  const own = board.tracks.filter((track) => track.net === net);
  for (const track of random.shuffle(own)) {
    const changed = { ...board, tracks: board.tracks.filter((one) => one !== track) };
    if (findOpenNets(changed).includes(net)) return changed;
  }
  return undefined;
}

function thinTrack(board: Board, net: string, rules: BoardRules): Board | undefined {
  const longest = board.tracks
    .filter((track) => track.net === net)
    .sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (longest === undefined) return undefined;
  const thin = { ...longest, width: Number((rules.trackWidth * 0.5).toFixed(3)) };
  return { ...board, tracks: board.tracks.map((track) => (track === longest ? thin : track)) };
}

/** A stub of the net from its lowest end to a hair from the edge. */
function alongTheEdge(board: Board, net: string): Board | undefined {
  const bottom = Math.max(...board.edges.flat().map(([, y]) => y));
  const ends = board.tracks
    .filter((track) => track.net === net && track.layer === "B.Cu")
    .flatMap(({ points }) => points);
  const lowest = ends.sort((a, b) => b[1] - a[1])[0];
  if (lowest === undefined) return undefined;
  const end: Place = [lowest[0], Number((bottom - 0.25).toFixed(3))];
  const width = board.tracks[0]?.width ?? 0.25;
  return { ...board, tracks: [...board.tracks, { net, layer: "B.Cu", width, points: [lowest, end] }] };
}

function lengthOf({ points }: Track): number {
  const [[ax, ay], [bx, by]] = points as readonly [Place, Place];
  return Math.hypot(ax - bx, ay - by);
}
