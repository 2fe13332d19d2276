import type { Params } from "../params.ts";
import { frameRate, height, width } from "../scene.ts";

export interface CompositeOptions extends Params {
  readonly footage: string;
  readonly plate: string;
  readonly into: string;
  /** Filters that make the footage's figure, with transparency. */
  readonly key: string;
}

/**
 * A colour-difference key: how far green exceeds both others, of how far it does on the wall, is what the wall shows
 * through. That much of the wall is taken off the colour, and green is limited to the average of red and blue.
 */
export function differenceKey([red, green, blue]: readonly [number, number, number]): string {
  // The wall is darker at its edges, and still has to vanish there.
  const full = 0.78 * (green - Math.max(red, blue));
  const cover = `st(0,1-clip((g(X,Y)-max(r(X,Y),b(X,Y)))/${full.toFixed(2)},0,1))`;
  const plain = (channel: string, wall: number): string =>
    `clip((${channel}(X,Y)-(1-ld(0))*${wall.toFixed(1)})/max(ld(0),0.05),0,255)`;
  const [r, g, b] = [plain("r", red), plain("g", green), plain("b", blue)];
  const planes = [
    `r='${cover};${r}'`,
    `g='${cover};min(${g},(${r}+${b})/2)'`,
    `b='${cover};${b}'`,
    `a='${cover};255*ld(0)'`,
  ];
  return `format=gbrap,geq=${planes.join(":")}`;
}

/** Arguments of ffmpeg for the whole shot. */
export function composite(options: CompositeOptions): readonly string[] {
  const { frames, enters, cut_in: from, used, footage, plate, into, key } = options;
  const graph = [
    `[0:v]trim=start_frame=${from}:end_frame=${from + used},settb=1/${frameRate},setpts=N+${enters},${key}[figure]`,
    `[1:v]fps=${frameRate},trim=end_frame=${frames},format=gbrp[plate]`,
    "[plate][figure]overlay=format=gbrp:eof_action=pass,format=yuv444p[shot]",
  ].join(";");
  const inputs = ["-i", footage, "-loop", "1", "-framerate", String(frameRate), "-i", plate];
  const coding = ["-c:v", "libx264", "-crf", "8", "-preset", "medium", "-pix_fmt", "yuv420p"];
  const exact = [
    "-threads",
    "1",
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
    "-frames:v",
    String(frames),
  ];
  const flags = ["-nostdin", "-v", "error", "-y"];
  const size = ["-s", `${width}x${height}`];
  return [
    ...flags,
    ...inputs,
    "-filter_complex",
    graph,
    "-map",
    "[shot]",
    ...coding,
    ...size,
    ...exact,
    into,
  ];
}
