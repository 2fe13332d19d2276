import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decodeVideo } from "./decode-video.ts";

const scratch = mkdtempSync(join(tmpdir(), "ale-video-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const video = join(scratch, "test.mp4");
const source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1"];
spawnSync("ffmpeg", ["-nostdin", "-v", "error", ...source, "-c:v", "libx264", "-pix_fmt", "yuv420p", video]);

describe("a video decoded by ffmpeg", () => {
  test("gives size, rate and every frame, the same each time", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => decodeVideo(video, { scratch, maxFrames: 100 })),
    );
    expect(first).toMatchObject({
      kind: "ok",
      value: { codec: "h264", width: 64, height: 48, frameRate: "25/1", count: 25 },
    });
    if (first?.kind !== "ok" || second?.kind !== "ok") return;
    using one = first.value;
    using other = second.value;
    for (let index = 0; index < one.count; index++) expect(one.frame(index)).toEqual(other.frame(index));
    expect(() => one.frame(25)).toThrow(RangeError);
  });

  test("stops at the most frames asked for", async () => {
    expect(await decodeVideo(video, { scratch, maxFrames: 7 })).toMatchObject({ value: { count: 7 } });
  });

  test.each<[string, string | Uint8Array]>([
    ["a playlist of another file", `#EXTM3U\n#EXTINF:1,\nfile://${video}\n`],
    ["a list to concatenate", `ffconcat version 1.0\nfile ${video}\n`],
    ["text", "no video"],
    ["a video cut off in the middle", readFileSync(video).subarray(0, 1500)],
  ])("refuses %s", async (_case, content) => {
    const path = join(scratch, "hostile.mp4");
    writeFileSync(path, content);
    expect(await decodeVideo(path, { scratch, maxFrames: 100 })).toMatchObject({ kind: "bad" });
  });

  test("of more pixels than allowed is refused before it is decoded", async () => {
    expect(await decodeVideo(video, { scratch, maxFrames: 1, maxPixels: 100 })).toMatchObject({
      kind: "bad",
    });
  });
});
