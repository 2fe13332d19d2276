import { expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { watchSilence } from "./silence-watch.ts";

const clock = createFixedClock();

function watch(left = new AbortController().signal) {
  const told: string[] = [];
  const silence = watchSilence({ clock, shortestMs: 30_000, left });
  const listen = (limitMs = 90_000): void => silence.listen(limitMs, ({ message }) => told.push(message));
  return { silence, told, listen };
}

test("a silence that lasts too long is given up once, and one that is broken in time is not", async () => {
  const { silence, told, listen } = watch();
  listen();
  await clock.advance(80_000);
  listen();
  await clock.advance(80_000);
  expect([told.length, silence.silentMs()]).toEqual([0, 80_000]);
  await clock.advance(9999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual(["nothing came for 90 s"]);
  await clock.advance(1e6);
  expect(told).toHaveLength(1);
  silence[Symbol.dispose]();
});

test("a shorter limit after a longer one is kept to the moment", async () => {
  const { silence, told, listen } = watch();
  listen();
  await clock.advance(12_345);
  listen(30_000);
  await clock.advance(29_999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual(["nothing came for 30 s"]);
  listen();
  await clock.advance(90_000);
  expect(told).toHaveLength(2);
  silence[Symbol.dispose]();
});

test("at rest no silence counts, and none is watched once it is disposed of", async () => {
  const { silence, told, listen } = watch();
  listen();
  silence.rest();
  await clock.advance(1e6);
  expect([told.length, silence.silentMs()]).toEqual([0, 0]);
  listen();
  silence[Symbol.dispose]();
  await clock.advance(1e6);
  expect([told.length, clock.sleeping]).toEqual([0, 0]);
});

test("a client left in vain after a minute's silence, not sooner, and not once something has come", async () => {
  for (const [ms, inVain] of [
    [59_000, false],
    [60_000, true],
  ] as const) {
    const leaving = new AbortController();
    const { silence, listen } = watch(leaving.signal);
    listen();
    await clock.advance(ms);
    leaving.abort();
    expect(silence.leftInVain).toBe(inVain);
    silence.rest();
    expect(silence.leftInVain).toBe(false);
    silence[Symbol.dispose]();
  }
});
