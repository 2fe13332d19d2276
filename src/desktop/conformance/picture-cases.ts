import { expect, expectEqual, expectRejection } from "../../sandbox/conformance/expectations.ts";
import type { Screenshot } from "../../sandbox/screen.ts";
import { behaviour, type ScreenCase, type ScreenTarget } from "./screen-case.ts";

const still = { quietMs: 300, limitMs: 10_000 };

export const pictureCases: readonly ScreenCase[] = [
  behaviour("a screenshot is a PNG of the whole screen", async ({ screen }) => {
    const shot = await screen.screenshot();
    expectEqual(shot.mediaType, "image/png", "media type");
    expectEqual([shot.width, shot.height], [screen.width, screen.height], "size told");
    expectEqual(sizeOfPng(shot), [screen.width, screen.height], "size in the file");
  }),
  behaviour("a region is cut out", async ({ screen }) => {
    const region = { x: 10, y: 20, width: 101, height: 33 };
    expectEqual(sizeOfPng(await screen.screenshot({ region })), [101, 33], "size");
  }),
  behaviour("a screenshot is scaled down to fit in its own shape, and never up", async ({ screen }) => {
    const half = Math.round(screen.width / 2);
    const shot = await screen.screenshot({ fit: { width: half, height: 10_000 } });
    expectEqual(sizeOfPng(shot), [half, Math.round((screen.height * half) / screen.width)], "scaled down");
    const whole = await screen.screenshot({ fit: { width: 100_000, height: 100_000 } });
    expectEqual(sizeOfPng(whole), [screen.width, screen.height], "left alone");
  }),
  behaviour("a JPEG is given when asked for, smaller with less quality", async ({ screen }) => {
    const good = await screen.screenshot({ format: "jpeg", quality: 95 });
    const poor = await screen.screenshot({ format: "jpeg", quality: 10 });
    expectEqual(good.mediaType, "image/jpeg", "media type");
    expectEqual([...good.bytes.subarray(0, 2)], [0xff, 0xd8], "first bytes");
    expect(poor.bytes.length < good.bytes.length, "less quality made no smaller file");
  }),
  behaviour("while nothing changes, screenshots and their revisions are equal", async ({ screen }) => {
    expect(await screen.quiet(still), "the screen was never still");
    const first = await screen.screenshot();
    const second = await screen.screenshot();
    expectEqual(second.revision, first.revision, "revision");
    expect(Buffer.compare(first.bytes, second.bytes) === 0, "the bytes differ");
  }),
  behaviour("a window that opens gives another revision and another picture", async (target) => {
    const { screen } = target;
    const before = await screen.screenshot();
    await using _probe = await target.openEvents();
    const after = await screen.screenshot();
    expect(after.revision !== before.revision, "the revision is the same");
    expect(Buffer.compare(after.bytes, before.bytes) !== 0, "the bytes are the same");
  }),
  behaviour("a region that is not on the screen is refused", async ({ screen }) => {
    const regions = [
      { x: 0, y: 0, width: screen.width + 1, height: 10 },
      { x: -1, y: 0, width: 10, height: 10 },
      { x: 0, y: 0, width: 0, height: 10 },
      { x: 0.5, y: 0, width: 10, height: 10 },
    ];
    for (const region of regions) {
      await expectRejection(screen.screenshot({ region }), "screen-point", JSON.stringify(region));
    }
  }),
  behaviour("screenshots asked for at once are all given", async ({ screen }) => {
    const shots = await Promise.all(Array.from({ length: 5 }, () => screen.screenshot()));
    for (const shot of shots) expectEqual(sizeOfPng(shot), [screen.width, screen.height], "size");
  }),
  behaviour("a still screen is quiet", async ({ screen }) => {
    expect(await screen.quiet(still), "quiet was false");
  }),
  behaviour("a screen that is drawn on is not quiet", async (target) => {
    await using _probe = await target.openText();
    expectEqual(await quietWhileTyping(target), false, "quiet");
  }),
];

async function quietWhileTyping({ screen }: ScreenTarget): Promise<boolean> {
  let isDone = false;
  const quiet = screen.quiet({ quietMs: 1000, limitMs: 2500 }).finally(() => {
    isDone = true;
  });
  while (!isDone) await screen.type("0123456789 drawn\n");
  return quiet;
}

function sizeOfPng({ bytes }: Screenshot): readonly number[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expectEqual(view.toString("latin1", 1, 4), "PNG", "first bytes");
  return [view.readUInt32BE(16), view.readUInt32BE(20)];
}
