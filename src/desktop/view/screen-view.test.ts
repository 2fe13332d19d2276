import { mkdtemp, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";
import type { Screenshot } from "../../sandbox/screen.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createScreenView } from "./create-screen-view.ts";
import { showScreen } from "./show-screen.ts";
import { viewShownScreen } from "./view-shown-screen.ts";

const never = new AbortController().signal;

describe("a view of a screen", () => {
  /** A screen whose looks take `tookMs` and each show something new until `isStill`. */
  function rig(tookMs: number, share?: number) {
    const clock = createFixedClock();
    const over = new AbortController();
    const looks: number[] = [];
    const screen = {
      isStill: false,
      width: 40,
      height: 30,
      async screenshot(): Promise<Screenshot> {
        looks.push(clock.monotonic());
        const revision = screen.isStill ? "still" : String(looks.length);
        if (tookMs > 0) await clock.sleep(tookMs);
        return { bytes: Buffer.from(revision), mediaType: "image/jpeg", width: 40, height: 30, revision };
      },
    };
    const view = createScreenView({
      ...{ screen, clock, over: over.signal, restMs: 200 },
      ...(share === undefined ? {} : { share }),
    });
    return { clock, over, looks, screen, view };
  }

  test("gives all who ask at one time the same look, and rests between two", async () => {
    const { clock, looks, view } = rig(0);
    const both = await Promise.all([view.frame(undefined, never), view.frame(undefined, never)]);
    expect(both.map((frame) => frame?.revision)).toEqual(["1", "1"]);
    const next = Promise.all([view.frame("1", never), view.frame("1", never)]);
    await clock.advance(199);
    expect(looks).toEqual([0]);
    await clock.advance(1);
    expect((await next).map((frame) => frame?.revision)).toEqual(["2", "2"]);
    expect(looks).toEqual([0, 200]);
  });

  test("rests the longer the longer a look takes", async () => {
    const { clock, looks, view } = rig(100, 0.1);
    const first = view.frame(undefined, never);
    await clock.advance(100);
    await first;
    const second = view.frame("1", never);
    await clock.advance(1000);
    expect(looks).toEqual([0, 1000]);
    await clock.advance(100);
    expect((await second)?.revision).toBe("2");
  });

  test("gives nothing while nothing changes, nor when it is over", async () => {
    const { clock, over, screen, view } = rig(0);
    screen.isStill = true;
    const still = view.frame("still", never);
    await clock.advance(11_000);
    expect(await still).toBeUndefined();
    const cut = view.frame("still", never);
    over.abort();
    expect(await cut).toBeUndefined();
    expect(await view.frame(undefined, never)).toBeUndefined();
  });
});

describe("a screen that is shown on a socket", () => {
  let dir: string;
  let made = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "ale-show-"));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const path = (): string => join(dir, String(made++));

  /** Larger than what a socket holds by itself. */
  const large = Buffer.alloc(8 * 1024 * 1024, 7);

  function viewOf(frame: ScreenView["frame"]): ScreenView {
    return { width: 40, height: 30, frame };
  }

  test("is seen by this user alone, size and frames, until it ends", async () => {
    const socket = path();
    let isLost = false;
    const asked: (string | undefined)[] = [];
    const shown = await showScreen(
      viewOf(async (after) => {
        asked.push(after);
        if (isLost) throw new AleError({ code: "screen-gone", message: "The display is gone." });
        return after === "r 1" ? undefined : { bytes: Buffer.from("picture"), revision: "r 1" };
      }),
      socket,
    );
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    const view = await viewShownScreen(socket);
    expect([view.width, view.height]).toEqual([40, 30]);
    const frame = await view.frame(undefined, never);
    expect([frame?.revision, String(Buffer.from(frame?.bytes ?? []))]).toEqual(["r 1", "picture"]);
    expect(await view.frame("r 1", never)).toBeUndefined();
    expect(asked).toEqual([undefined, "r 1"]);
    isLost = true;
    await expect(view.frame(undefined, never)).rejects.toMatchObject({ code: "screen-gone" });
    await shown[Symbol.asyncDispose]();
    await expect(view.frame(undefined, never)).rejects.toMatchObject({ code: "screen-gone" });
    await expect(viewShownScreen(socket)).rejects.toMatchObject({ code: "screen-gone" });
    await expect(stat(socket)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each([
    ["POST", "/frame", 405],
    ["PUT", "/", 405],
    ["DELETE", "/frame", 405],
    ["GET", "/act", 404],
  ])("takes nothing in: %s %s is refused", async (method, to, expected) => {
    const socket = path();
    let looks = 0;
    await using _ = await showScreen(
      viewOf(async () => {
        looks += 1;
        return undefined;
      }),
      socket,
    );
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    request({ socketPath: socket, path: to, method, agent: false }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on("error", reject)
      .end(method === "GET" ? undefined : '[{"kind":"type","text":"x"}]');
    expect([await promise, looks]).toEqual([expected, 0]);
  });

  test("waits for nobody: who does not read gets one frame, others theirs, and the end comes at once", async () => {
    const socket = path();
    let looks = 0;
    const shown = await showScreen(
      viewOf(async () => ({ bytes: large, revision: String(++looks) })),
      socket,
    );
    const stalled = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const line = connect(socket);
        line.pause();
        line.on("error", () => undefined);
        const sent = Promise.withResolvers<void>();
        line.write("GET /frame HTTP/1.1\r\nHost: screen\r\n\r\n", () => sent.resolve());
        await sent.promise;
        return line;
      }),
    );
    const view = await viewShownScreen(socket);
    for (let count = 0; count < 5; count++) {
      expect((await view.frame(undefined, never))?.bytes.byteLength).toBe(large.byteLength);
    }
    expect(looks).toBe(9);
    await shown[Symbol.asyncDispose]();
    for (const line of stalled) line.destroy();
  });

  test("is looked at by eight at once, and a place is free again when one has gone", async () => {
    const socket = path();
    const here = Promise.withResolvers<void>();
    let waiting = 0;
    await using _ = await showScreen(
      viewOf(async (after, left) => {
        if (after === "now") return undefined;
        waiting += 1;
        if (waiting === 8) here.resolve();
        await new Promise<void>((resolve) => left.addEventListener("abort", () => resolve()));
        waiting -= 1;
        return undefined;
      }),
      socket,
    );
    const view = await viewShownScreen(socket);
    const leave = new AbortController();
    const all = Array.from({ length: 8 }, () => view.frame(undefined, leave.signal));
    await here.promise;
    await expect(view.frame("now", never)).rejects.toMatchObject({ code: "screen-crowded" });
    leave.abort();
    expect(await Promise.all(all)).toEqual(Array(8).fill(undefined));
    await expect.poll(() => waiting).toBe(0);
    expect(await view.frame("now", never)).toBeUndefined();
  });

  test("where no socket can be, is told", async () => {
    const view = viewOf(async () => undefined);
    await expect(showScreen(view, join(dir, "x".repeat(200)))).rejects.toMatchObject({
      code: "screen-not-shown",
    });
  });
});
