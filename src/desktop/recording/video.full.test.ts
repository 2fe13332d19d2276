import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import { type DesktopMachine, desktopMachine } from "../test-support/desktop-machine.ts";
import { recordVideo } from "./record-video.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("a video", () => {
  let machine: DesktopMachine;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ale-video-"));
    machine = await desktopMachine();
  });
  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** Moves about for so many seconds, so that frames differ. */
  async function work(seconds: number): Promise<void> {
    const end = hostClock.monotonic() + seconds * 1000;
    for (let x = 0; hostClock.monotonic() < end; x = (x + 37) % 1200) {
      await machine.desktop.screen.move({ x, y: 300 });
      await hostClock.sleep(50);
    }
  }

  test("is WebM, as long as what was done, and small", async () => {
    const path = join(folder, "work.webm");
    const recording = recordVideo({ screen: machine.desktop.screen, clock: hostClock, path });
    await work(5);
    const outcome = await recording.finish();
    expect(outcome).toMatchObject({ state: "recorded", isCut: false });
    const probe = await run("ffprobe", [
      ...["-v", "error", "-show_entries", "format=format_name,duration:stream=codec_name,width,height"],
      ...["-of", "json", path],
    ]);
    const told = JSON.parse(probe.stdout) as {
      readonly streams: readonly unknown[];
      readonly format: { readonly format_name: string; readonly duration: string };
    };
    expect(told.format.format_name).toContain("webm");
    expect(told.streams[0]).toMatchObject({ codec_name: "vp8", width: 960, height: 600 });
    expect(Number(told.format.duration)).toBeGreaterThan(3);
    if (outcome.state === "recorded") expect(outcome.bytes).toBeLessThan(1024 * 1024);
  });

  test("ends at its bound and says so", async () => {
    const recording = recordVideo({
      screen: machine.desktop.screen,
      clock: hostClock,
      path: join(folder, "short.webm"),
      framesPerSecond: 20,
      maxBytes: 20_000,
    });
    await work(12);
    const outcome = await recording.finish();
    expect(outcome).toMatchObject({ state: "recorded", isCut: true });
    if (outcome.state === "recorded") expect(outcome.bytes).toBeLessThan(60_000);
  });

  test("is absent with the reason where there is no encoder", async () => {
    const recording = recordVideo({
      screen: machine.desktop.screen,
      clock: hostClock,
      path: join(folder, "none.webm"),
      ffmpeg: "/nowhere/ffmpeg",
    });
    await work(0.3);
    expect(await recording.finish()).toMatchObject({
      state: "absent",
      reason: expect.stringContaining("ENOENT"),
    });
  });
});
