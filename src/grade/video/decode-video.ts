import { closeSync, openSync, readSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { basename, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { type CommandRun, runCommand } from "../code/run-command.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** What the first video stream of a file says of itself. */
export interface VideoInfo {
  /** As ffmpeg calls it, such as `h264`. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** Frames a second, as a fraction in lowest terms: `25/1`, `30000/1001`. */
  readonly frameRate: string;
}

/** A video's frames as they are coded, none doubled or dropped; RGB, three bytes a pixel, row by row. */
export interface VideoFrames extends VideoInfo, Disposable {
  readonly count: number;
  /** Throws a `RangeError` for a frame that is not there. */
  frame(index: number): Uint8Array;
}

export interface DecodeOptions {
  /** Holds the decoded frames. */
  readonly scratch: string;
  /** Frames beyond these are not decoded. */
  readonly maxFrames: number;
  /** Largest width × height, default 1920 × 1080. */
  readonly maxPixels?: number;
  readonly timeoutMs?: number;
}

const searchPath = "/usr/local/bin:/usr/bin:/bin";

/** Containers whose demuxers open no other files. */
const formats = "mov,matroska,avi";
const guards = ["-protocol_whitelist", "file", "-format_whitelist", formats];

/**
 * Decodes the first video stream of an MP4, MOV, Matroska, WebM or AVI file with ffmpeg: on one thread and bit-exact, so
 * that the same file gives the same frames. Playlists and whatever else refers to other files are refused. Bad when it is
 * no such video, damaged, larger than allowed, or takes too long.
 *
 * Throws an `AleError` coded `program-missing` when ffmpeg is not installed: declare `ffmpeg` and `ffprobe` among the
 * grader's programs.
 *
 * @param path on the host, as `locateArtifact` gives it.
 */
export async function decodeVideo(path: string, options: DecodeOptions): Promise<Read<VideoFrames>> {
  const { scratch, maxFrames, maxPixels = 1920 * 1080, timeoutMs = 120_000 } = options;
  const name = quote(basename(path));
  const run = async (argv: readonly string[]): Promise<CommandRun> => {
    const ended = await runCommand({
      argv,
      cwd: scratch,
      timeoutMs,
      env: { PATH: searchPath },
    });
    if (ended.end === "not-started") throw missing(argv[0] ?? "", ended.detail);
    return ended;
  };
  const entries = "stream=codec_name,width,height,r_frame_rate";
  const select = ["-select_streams", "v:0", "-show_entries", entries, "-of", "json"];
  const probed = await run(["ffprobe", "-v", "error", ...guards, ...select, path]);
  const info = probed.success ? infoOf(probed.output) : undefined;
  if (info === undefined) return bad(`${name} is no video that can be read.`);
  if (info.width * info.height > maxPixels)
    return bad(`${name} is too large: ${info.width} × ${info.height}.`);
  const raw = join(await mkdtemp(join(scratch, "frames-")), "frames.rgb");
  const exact = ["-fps_mode", "passthrough", "-sws_flags", "bitexact+accurate_rnd+full_chroma_int"];
  const take = ["-map", "0:v:0", "-frames:v", String(maxFrames), "-f", "rawvideo", "-pix_fmt", "rgb24"];
  const flags = ["-nostdin", "-v", "error", "-xerror", "-threads", "1", "-flags", "bitexact", ...guards];
  const decoded = await run(["ffmpeg", ...flags, "-i", path, ...exact, ...take, raw]);
  if (!decoded.success) return bad(`${name} cannot be decoded: ${quote(decoded.output.trim(), 120)}.`);
  return ok(openFrames(raw, info));
}

function openFrames(raw: string, info: VideoInfo): VideoFrames {
  const bytes = info.width * info.height * 3;
  const count = Math.floor(statSync(raw).size / bytes);
  const handle = openSync(raw, "r");
  return {
    ...info,
    count,
    frame(index) {
      if (!(index >= 0 && index < count)) throw new RangeError(`there is no frame ${index} of ${count}`);
      const pixels = new Uint8Array(bytes);
      readSync(handle, pixels, 0, bytes, index * bytes);
      return pixels;
    },
    [Symbol.dispose]: () => closeSync(handle),
  };
}

function infoOf(output: string): VideoInfo | undefined {
  let parsed: { readonly streams?: readonly Readonly<Record<string, unknown>>[] };
  try {
    parsed = JSON.parse(output.slice(output.indexOf("{"))) as typeof parsed;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { codec_name: codec, width, height, r_frame_rate: frameRate } = parsed.streams?.[0] ?? {};
  if (typeof width !== "number" || typeof height !== "number" || width < 1 || height < 1) return undefined;
  return { codec: String(codec), width, height, frameRate: String(frameRate) };
}

function missing(program: string, detail: string): AleError {
  return new AleError({
    code: "program-missing",
    message: `Videos cannot be graded: ${program} could not be started (${detail}).`,
    remedy: "Install ffmpeg where graders run: apt-get install -y ffmpeg",
    fields: { program },
  });
}
