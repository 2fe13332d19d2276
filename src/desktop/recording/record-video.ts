import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { PictureSize } from "../../sandbox/frame/fitted-size.ts";
import type { Screen } from "../../sandbox/screen.ts";

export interface VideoOptions {
  readonly screen: Screen;
  readonly clock: Clock;
  /** Of the WebM file on this host. */
  readonly path: string;
  /** Default 2: enough to follow work, and cheap. */
  readonly framesPerSecond?: number;
  /** Default 960 × 960. */
  readonly fit?: PictureSize;
  /** The file ends there; default 48 MiB, some hours of work. */
  readonly maxBytes?: number;
  /** Default `ffmpeg`. */
  readonly ffmpeg?: string;
}

/** What has become of a video. */
export type VideoOutcome =
  | { readonly state: "recorded"; readonly bytes: number; readonly frames: number; readonly isCut: boolean }
  | { readonly state: "absent"; readonly reason: string };

export interface VideoRecording {
  /** Ends the video. Never rejects for what the encoder or the screen did. */
  finish(): Promise<VideoOutcome>;
}

/**
 * Records a screen from now on, from the outside: by screenshots, which cost nothing while the screen does not change,
 * and an encoder on this host.
 */
export function recordVideo(options: VideoOptions): VideoRecording {
  const { screen, clock, path, framesPerSecond = 2, maxBytes = 48 * 1024 * 1024 } = options;
  const { fit = { width: 960, height: 960 }, ffmpeg = "ffmpeg" } = options;
  const encoder = spawn(ffmpeg, encoderArguments(path, framesPerSecond, maxBytes), {
    stdio: ["pipe", "ignore", "pipe"],
  });
  const stopping = new AbortController();
  let complaint = "";
  let frames = 0;
  encoder.stderr.on("data", (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString("utf8")}`.slice(-1000);
  });
  // An encoder that has enough closes its input; its end tells why.
  encoder.stdin.on("error", () => stopping.abort());
  const ended = new Promise<string | undefined>((resolve) => {
    encoder.once("error", (error) => resolve(error.message));
    encoder.once("close", (code) => resolve(code === 0 ? undefined : `exit ${code}: ${complaint.trim()}`));
  });
  ended.then(() => stopping.abort());

  async function shoot(): Promise<void> {
    const from = clock.monotonic();
    while (!stopping.signal.aborted) {
      const shot = await screen.screenshot({ fit, format: "jpeg", quality: 80 });
      const due = Math.floor(((clock.monotonic() - from) / 1000) * framesPerSecond) + 1;
      for (; frames < due && !stopping.signal.aborted; frames++) {
        if (!encoder.stdin.write(shot.bytes)) await once(encoder.stdin, "drain", { signal: stopping.signal });
      }
      await clock.sleep(1000 / framesPerSecond, stopping.signal);
    }
  }

  const shooting = shoot().catch((error: unknown) => {
    // A screen that is lost ends its video, and so does being stopped.
    if (!AleError.isInstance(error) && !stopping.signal.aborted) throw error;
  });
  return {
    async finish() {
      stopping.abort();
      await shooting;
      const isCut = encoder.exitCode !== null;
      encoder.stdin.end();
      const failure = await ended;
      if (failure !== undefined) return { state: "absent", reason: `no video: ${failure}` };
      const { size } = await stat(path);
      return { state: "recorded", bytes: size, frames, isCut };
    },
  };
}

/** VP8 at its fastest, in frames that follow each other: mostly still pictures cost a few kilobytes a second. */
function encoderArguments(path: string, framesPerSecond: number, maxBytes: number): readonly string[] {
  return [
    ...["-hide_banner", "-loglevel", "error", "-nostdin", "-y"],
    ...["-f", "image2pipe", "-framerate", String(framesPerSecond), "-c:v", "mjpeg", "-i", "-"],
    ...["-an", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-threads", "1"],
    ...["-crf", "20", "-b:v", "400k", "-g", String(framesPerSecond * 20), "-pix_fmt", "yuv420p"],
    ...["-fs", String(maxBytes), "-f", "webm", path],
  ];
}
