import { expect, test } from "vitest";
import type { FoundImage } from "../find-image.ts";
import { KnownImages } from "./known-images.ts";

const image: FoundImage = { id: "sha256:a", env: {}, labels: {}, digests: [] };

test("an image is got once, and a name means the first one to the end", async () => {
  let got = 0;
  const known = new KnownImages(async () => ({ ...image, id: `sha256:${got++}` }));
  const all = await Promise.all([known.get("x"), known.get("x")]);
  expect([...all, await known.get("x")].map(({ id }) => id)).toEqual(["sha256:0", "sha256:0", "sha256:0"]);
});

test("one that was not got is tried again", async () => {
  let got = 0;
  const known = new KnownImages(() =>
    got++ === 0 ? Promise.reject(new Error("not now")) : Promise.resolve(image),
  );
  await expect(known.get("x")).rejects.toThrow("not now");
  expect(await known.get("x")).toBe(image);
});

test("getting it goes on while anybody waits, and ends with the last who gives up", async () => {
  const signals: AbortSignal[] = [];
  const known = new KnownImages((_, signal) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [known.get("x", one.signal), known.get("x", two.signal)];
  one.abort(new Error("one"));
  await expect(first).rejects.toThrow("one");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  two.abort(new Error("two"));
  await expect(second).rejects.toThrow("two");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const three = new AbortController();
  const third = known.get("x", three.signal);
  expect(signals.length).toBe(2);
  three.abort(new Error("three"));
  await expect(third).rejects.toThrow("three");
});
