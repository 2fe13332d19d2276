import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findStaves } from "ale/grade/image/find-staves";
import type { RasterImage } from "ale/grade/image/load-image";
import sharp from "sharp";
import { readFramebuffer } from "./read-framebuffer.ts";

const windowLimitMs = 120_000;
const seen = { width: 1280, height: 900 } as const;

/** Lets MuseScore convert the score by its command line: the file's ending says into what. */
export async function exportScore(home: string, score: string, into: string): Promise<void> {
  const child = spawn("musescore3", ["-o", into, score], {
    stdio: "ignore",
    env: { ...environment(home), QT_QPA_PLATFORM: "offscreen" },
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`musescore3 -o ${into} ended with ${code}`);
}

/** Opens the score in MuseScore's window on a display of its own, and takes a picture once both staves are drawn. */
export async function photograph(home: string, score: string, into: string): Promise<void> {
  const frames = join(home, "frames");
  mkdirSync(frames, { recursive: true });
  await using display = await startDisplay(frames);
  await using _window = owned(
    spawn("musescore3", [score], { stdio: "ignore", env: { ...environment(home), DISPLAY: display.name } }),
  );
  const until = performance.now() + windowLimitMs;
  while (performance.now() < until) {
    await sleep(500);
    const image = readFramebuffer(readFileSync(join(frames, "Xvfb_screen0")));
    if (findStaves(image).length >= 2) return savePicture(image, into);
  }
  throw new Error("musescore3 showed no score");
}

async function savePicture({ width, height, data }: RasterImage, path: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toFile(path);
}

/** A home in which MuseScore has been started before. */
export function prepareHome(home: string): void {
  const folder = join(home, ".config", "MuseScore");
  mkdirSync(folder, { recursive: true });
  const ui = "application\\startup";
  writeFileSync(
    join(folder, "MuseScore3.ini"),
    `[application]\nstartup\\firstStart=false\n\n[ui]\n${ui}\\showStartCenter=false\n${ui}\\showTours=false\n`,
  );
}

function environment(home: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: home, XDG_RUNTIME_DIR: home };
}

async function startDisplay(frames: string): Promise<{ readonly name: string } & AsyncDisposable> {
  const { width, height } = seen;
  const screen = ["-screen", "0", `${width}x${height}x24`, "-fbdir", frames, "-nolisten", "tcp"];
  const child = spawn("Xvfb", ["-displayfd", "1", ...screen], { stdio: ["ignore", "pipe", "ignore"] });
  const number = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    child.stdout.once("data", (data: Buffer) => resolve(data.toString("latin1").trim()));
  });
  return { name: `:${number}`, [Symbol.asyncDispose]: () => owned(child)[Symbol.asyncDispose]() };
}

function owned(child: ChildProcess): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}
