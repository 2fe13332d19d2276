import { expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { type SilenceWatch, watchSilence } from "./silence-watch.ts";

const clock = createFixedClock();

function watch(left = new AbortController().signal): {
  readonly silence: SilenceWatch;
  readonly told: Error[];
} {
  const told: Error[] = [];
  const silence = watchSilence({ clock, limitMs: 90_000, left, giveUp: (error) => told.push(error) });
  return { silence, told };
}

test("a silence that lasts too long is given up once, and one that is broken in time is not", async () => {
  const { silence, told } = watch();
  silence.listen();
  await clock.advance(80_000);
  silence.listen();
  await clock.advance(80_000);
  expect([told.length, silence.silentMs()]).toEqual([0, 80_000]);
  await clock.advance(10_000);
  expect(told.map(({ message }) => message)).toEqual(["nothing came for 90 s"]);
  await clock.advance(1e6);
  expect(told).toHaveLength(1);
  silence[Symbol.dispose]();
});

test("at rest no silence counts, and none is watched once it is disposed of", async () => {
  const { silence, told } = watch();
  silence.listen();
  silence.rest();
  await clock.advance(1e6);
  expect([told.length, silence.silentMs()]).toEqual([0, 0]);
  silence.listen();
  silence[Symbol.dispose]();
  await clock.advance(1e6);
  expect([told.length, clock.sleeping]).toEqual([0, 0]);
});

test("a client that has waited for a minute and left was let down; one that leaves sooner was not", async () => {
  for (const [ms, abandoned] of [
    [59_000, undefined],
    [60_000, "nothing came for 60 s, and the client left"],
  ] as const) {
    const leaving = new AbortController();
    using silence = watch(leaving.signal).silence;
    silence.listen();
    await clock.advance(ms);
    leaving.abort();
    expect(silence.abandoned).toBe(abandoned);
    silence.rest();
    expect(silence.abandoned).toBeUndefined();
  }
});
