import type { Random } from "ale/contract/random";
import {
  type CueSheet,
  type Easing,
  frameRate,
  height,
  type Key,
  type Layer,
  timecode,
  width,
} from "../cue-sheet.ts";
import type { Params } from "../params.ts";

/** What of the picture is left free at each side, as a share: title-safe. */
export const safe = 0.05;

/** Colours that can be told from each other: panel, disc, title, second line. */
const palettes = [
  ["#1f2d4d", "#c8553d", "#f6f0e2", "#ffd479"],
  ["#16423c", "#8a5cb8", "#fdf6ec", "#b9f0a6"],
  ["#3a1f3d", "#2f7fb5", "#f4f1ea", "#ffc08a"],
] as const;

const titleSize = 40;
const subtitleSize = 20;

const move = (from: readonly [number, number], to: readonly [number, number], ease: Easing): Key[] => [
  { at: timecode(from[0]), value: from[1] },
  { at: timecode(to[0]), value: to[1], ease },
];

interface Plan {
  readonly random: Random;
  readonly params: Params;
  readonly colours: (typeof palettes)[number];
  /** Of the panel at rest. */
  readonly left: number;
  readonly top: number;
  readonly panelWidth: number;
  readonly panelHeight: number;
  /** Frame in which the panel enters, and the one from which on all is at rest no more. */
  readonly enters: number;
  readonly leaves: number;
}

/**
 * The cue sheet. The layers are listed as they were thought of: what is in front says `z`. The panel leaves last, the second line
 * comes last, and every layer is at rest for some time.
 */
export function makeSheet(random: Random, params: Params): CueSheet {
  const panelWidth = random.integer(160, 172) * 2;
  const panelHeight = 76;
  const margin = Math.ceil(safe * width);
  const plan: Plan = {
    random,
    params,
    colours: random.pick(palettes),
    left: params.side === "left" ? margin : width - margin - panelWidth,
    top: height - Math.ceil(safe * height) - panelHeight - random.integer(4, 14),
    panelWidth,
    panelHeight,
    enters: random.integer(6, 11),
    leaves: params.frames - random.integer(36, 40),
  };
  const { enters } = plan;
  const settled = enters + 44;
  return {
    format: { width, height, frame_rate: frameRate, frames: params.frames },
    plate: { file: "plate.y4m", first_frame: timecode(params.plate_first) },
    style_frame: { file: "style-frame.png", at: timecode(Math.round((settled + plan.leaves) / 2)) },
    layers: [panel(plan), badge(plan), title(plan), disc(plan), subtitle(plan)],
  };
}

function panel({ random, params, colours, left, top, panelWidth, panelHeight, enters, leaves }: Plan): Layer {
  const outside = params.side === "left" ? -panelWidth : width;
  const arrives = enters + random.integer(18, 22);
  const [goes, gone] = [leaves + 12, leaves + 12 + random.integer(14, 17)];
  return {
    id: "panel",
    kind: "rectangle",
    z: 20,
    width: panelWidth,
    height: panelHeight,
    colour: colours[0],
    in: timecode(enters),
    out: timecode(gone),
    x: [
      ...move([enters, outside], [arrives, left], "out-cubic"),
      ...move([goes, left], [gone, outside], "in-cubic"),
    ],
    y: top,
    opacity: 0.75,
  };
}

/** At the panel's end, partly behind it. */
function badge({ random, params, left, top, panelWidth, enters, leaves }: Plan): Layer {
  const comes = enters + random.integer(12, 15);
  const inset = random.integer(44, 52);
  return {
    id: "badge",
    kind: "image",
    z: 10,
    file: "badge.png",
    in: timecode(comes),
    out: timecode(leaves + random.integer(0, 3)),
    x: params.side === "left" ? left + panelWidth - inset : left + inset,
    y: top - random.integer(6, 12),
    scale: move([comes, 0.1], [comes + random.integer(17, 20), 0.5], "out-back"),
    opacity: move([comes, 0], [comes + 8, 1], "linear"),
  };
}

function title({ random, params, colours, left, top, panelWidth, enters, leaves }: Plan): Layer {
  const comes = enters + random.integer(15, 18);
  const goes = leaves + random.integer(0, 2);
  const gone = goes + random.integer(9, 10);
  const base = top + 44;
  return {
    id: "title",
    kind: "text",
    z: 40,
    text: params.title,
    font: "quayline.ttf",
    size: titleSize,
    colour: colours[2],
    anchor: "start",
    matte: { box: [left + 10, top + 8, panelWidth - 20, 48] },
    in: timecode(comes),
    out: timecode(gone),
    x: left + 18,
    y: move([comes, base + 46], [comes + random.integer(14, 17), base], "out-cubic"),
    opacity: move([goes, 1], [gone, 0], "in-out-sine"),
  };
}

/** Sweeps over the panel, seen within it alone, and rests below the title's first letters. */
function disc({ random, params, colours, left, top, panelWidth, panelHeight, enters, leaves }: Plan): Layer {
  const radius = random.integer(48, 54);
  const comes = enters + random.integer(20, 22);
  const [goes, gone] = [leaves - random.integer(0, 2), leaves + random.integer(9, 11)];
  const from = params.side === "left" ? left + panelWidth + radius : left - radius;
  return {
    id: "disc",
    kind: "disc",
    z: 30,
    radius,
    colour: colours[1],
    matte: { layer: "panel" },
    in: timecode(comes),
    out: timecode(gone),
    x: move([comes, from], [comes + random.integer(20, 22), left + random.integer(60, 100)], "in-out-cubic"),
    y: top + panelHeight / 2 + random.integer(-8, 8),
    opacity: move([goes, 1], [gone, 0], "linear"),
  };
}

function subtitle({ random, params, colours, left, top, panelWidth, enters, leaves }: Plan): Layer {
  const comes = enters + random.integer(26, 28);
  const settles = comes + random.integer(13, 15);
  const isLeft = params.side === "left";
  const x = isLeft ? left + 19 : left + panelWidth - 19;
  return {
    id: "subtitle",
    kind: "text",
    z: 50,
    text: params.subtitle,
    font: "quayline.ttf",
    size: subtitleSize,
    colour: colours[3],
    anchor: isLeft ? "start" : "end",
    in: timecode(comes),
    out: timecode(leaves + random.integer(4, 7)),
    x: move([comes, x + (isLeft ? 36 : -36)], [settles, x], "out-cubic"),
    y: top + 67,
    opacity: move([comes, 0], [settles, 1], "in-out-sine"),
  };
}
