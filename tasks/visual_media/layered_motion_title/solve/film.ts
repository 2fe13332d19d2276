import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CueSheet,
  type DiscLayer,
  frameOf,
  type ImageLayer,
  type Layer,
  type RectangleLayer,
  type TextLayer,
} from "../cue-sheet.ts";
import { expression } from "./expression.ts";

export interface FilmOptions {
  readonly sheet: CueSheet;
  /** Holds the files that the sheet names. */
  readonly input: string;
  readonly scratch: string;
  readonly into: string;
  /** Pixels drawn to a pixel of the shot, each way, default 1. */
  readonly finer?: number;
}

/** A layer's own picture as a chain of filters, and where its upper left corner is laid. */
interface Drawn {
  readonly chain: string;
  readonly x: string;
  readonly y: string;
}

const coding = ["-c:v", "libx264", "-crf", "10", "-preset", "medium", "-pix_fmt", "yuv420p"];

/** Arguments with which ffmpeg makes the whole shot: a filter graph that draws each layer, and lays one over the other. */
export function film(options: FilmOptions): readonly string[] {
  const { sheet: original, input, into, finer = 1 } = options;
  const sheet = magnify(original, finer);
  const { width, height, frame_rate: rate, frames } = sheet.format;
  const first = frameOf(sheet.plate.first_frame);
  const plate = `[0:v]trim=start_frame=${first}:end_frame=${first + frames},settb=1/${rate},setpts=N,scale=${width}:${height},format=gbrp[under0]`;
  const layers = sheet.layers.toSorted((a, b) => a.z - b.z);
  const graph = layers.flatMap((layer, index) => {
    const { chain, x, y } = drawLayer(layer, sheet, options);
    const [from, to] = whenSeen(layer, sheet);
    const place = `x='round(${x})':y='round(${y})':eval=frame:enable='between(round(t*${rate}),${from},${to - 1})'`;
    return [
      `${chain}[layer${index}]`,
      `[under${index}][layer${index}]overlay=format=gbrp:${place}[under${index + 1}]`,
    ];
  });
  const scaled = `[under${layers.length}]scale=${original.format.width}:${original.format.height}:flags=area[shot]`;
  const files = layers.filter((layer) => layer.kind === "image").map(({ file }) => join(input, file));
  return [
    ...["-nostdin", "-v", "error", "-y", "-i", join(input, sheet.plate.file)],
    ...files.flatMap((file) => ["-loop", "1", "-framerate", String(rate), "-i", file]),
    ...[
      "-filter_complex",
      [plate, ...graph, scaled].join(";"),
      "-map",
      "[shot]",
      "-frames:v",
      String(frames),
    ],
    ...coding,
    ...["-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", into],
  ];
}

/** A disc is seen only while its matte is. */
function whenSeen(layer: Layer, sheet: CueSheet): readonly [number, number] {
  const own = [frameOf(layer.in), frameOf(layer.out)] as const;
  if (layer.kind !== "disc") return own;
  const matte = matteOf(layer, sheet);
  return [Math.max(own[0], frameOf(matte.in)), Math.min(own[1], frameOf(matte.out))];
}

function matteOf(disc: DiscLayer, sheet: CueSheet): RectangleLayer {
  const matte = sheet.layers.find(({ id }) => id === disc.matte.layer);
  if (matte?.kind !== "rectangle") throw new Error(`the matte of ${disc.id} is no rectangle`);
  return matte;
}

function drawLayer(layer: Layer, sheet: CueSheet, options: FilmOptions): Drawn {
  switch (layer.kind) {
    case "rectangle": {
      const fill = plain(layer.colour, layer.width, layer.height, sheet);
      const white = plain("#ffffff", layer.width, layer.height, sheet);
      const chain = masked(layer, fill, `${white},extractplanes=g,${faded(layer)}`);
      return { chain, x: expression(layer.x), y: expression(layer.y) };
    }
    case "disc":
      return drawDisc(layer, sheet);
    case "image":
      return drawImage(layer, sheet);
    case "text":
      return drawText(layer, sheet, options);
  }
}

/** A picture of one colour. */
function plain(colour: string, width: number, height: number, { format }: CueSheet): string {
  return `color=c=0x${colour.slice(1)}:s=${width}x${height}:r=${format.frame_rate},format=gbrap`;
}

/** A grey picture whose brightness is multiplied by the layer's opacity: an alpha. */
function faded({ opacity }: Layer): string {
  const share = expression(opacity);
  return `eq=contrast='${share}':brightness='((${share})-1)/2':eval=frame`;
}

/** White on a black picture as large as the matte, which goes along with it; so made the alpha of a plain colour. */
function drawDisc(layer: DiscLayer, sheet: CueSheet): Drawn {
  const { id, radius, colour } = layer;
  const matte = matteOf(layer, sheet);
  const middle = Math.ceil(radius) + 1;
  const cover = `255*clip(${radius + 0.5}-hypot(X+0.5-${middle},Y+0.5-${middle}),0,1)`;
  const once = plain("#ffffff", 2 * middle, 2 * middle, sheet);
  const disc = `${once},trim=end_frame=1,geq=r=255:g=255:b=255:a='${cover}',loop=-1:1,setpts=N[disc-${id}]`;
  const black = `${plain("#000000", matte.width, matte.height, sheet)},format=gbrp[black-${id}]`;
  const from = (axis: "x" | "y"): string =>
    `round((${expression(layer[axis])})-${middle})-round(${expression(matte[axis])})`;
  const place = `x='${from("x")}':y='${from("y")}':eval=frame`;
  const mask = `${disc};${black};[black-${id}][disc-${id}]overlay=format=gbrp:${place}`;
  const chain = masked(
    layer,
    plain(colour, matte.width, matte.height, sheet),
    `${mask},extractplanes=g,${faded(layer)}`,
  );
  return { chain, x: expression(matte.x), y: expression(matte.y) };
}

/** A chain of filters with a grey one's brightness as its alpha. */
function masked({ id }: Layer, fill: string, mask: string): string {
  return `${mask}[mask-${id}];${fill}[fill-${id}];[fill-${id}][mask-${id}]alphamerge`;
}

/** The picture's colours go on where it is transparent, so that scaling it leaves no dark rim. */
function drawImage(layer: ImageLayer, sheet: CueSheet): Drawn {
  const { id } = layer;
  const images = sheet.layers.toSorted((a, b) => a.z - b.z).filter(({ kind }) => kind === "image");
  const side = (whole: "iw" | "ih"): string => `2*max(1,round(${whole}*(${expression(layer.scale)})/2))`;
  const split = `[${images.indexOf(layer) + 1}:v]format=gbrap,split[whole-${id}][clear-${id}]`;
  const joined = masked(layer, `[whole-${id}]null`, `[clear-${id}]extractplanes=a,${faded(layer)}`);
  const scale = `scale=w='${side("iw")}':h='${side("ih")}':eval=frame:flags=area`;
  return {
    chain: `${split};${joined},${scale}`,
    x: `(${expression(layer.x)})-overlay_w/2`,
    y: `(${expression(layer.y)})-overlay_h/2`,
  };
}

/** White on black, which then becomes the alpha of a plain colour; on a picture as large as the matte. */
function drawText(layer: TextLayer, sheet: CueSheet, { input, scratch }: FilmOptions): Drawn {
  const [left, top, wide, high] = layer.matte?.box ?? [0, 0, sheet.format.width, sheet.format.height];
  const file = join(scratch, `${layer.id}.txt`);
  writeFileSync(file, layer.text);
  const start = layer.anchor === "start" ? "" : "-text_w";
  const settings = [
    `fontfile=${join(input, layer.font)}`,
    `fontsize=${layer.size}`,
    `textfile=${file}`,
    "expansion=none:fontcolor=white",
    `x='round((${expression(layer.x)})-${left})${start}'`,
    `y='round((${expression(layer.y)})-${top})-ascent'`,
  ];
  const black = `${plain("#000000", wide, high, sheet)},format=gbrp`;
  const mask = `${black},drawtext=${settings.join(":")},extractplanes=g,${faded(layer)}`;
  const chain = masked(layer, plain(layer.colour, wide, high, sheet), mask);
  return { chain, x: String(left), y: String(top) };
}

/** The same shot in a larger picture. */
function magnify(sheet: CueSheet, finer: number): CueSheet {
  if (finer === 1) return sheet;
  const lengths = new Set(["x", "y", "width", "height", "radius", "size", "box", "scale"]);
  const larger = (value: unknown): unknown => {
    if (typeof value === "number") return value * finer;
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown) =>
      typeof item === "number"
        ? item * finer
        : { ...(item as object), value: (item as { value: number }).value * finer },
    );
  };
  return JSON.parse(JSON.stringify(sheet), (key, value: unknown) =>
    lengths.has(key) ? larger(value) : value,
  ) as CueSheet;
}
