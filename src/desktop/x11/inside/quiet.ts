import type { Display, Rectangle } from "./display.ts";
import { DamageWatch } from "./frames.ts";

/** A text cursor is narrow; one drawn wider is known by coming again at the same place. */
const caretWidth = 4;
const caretHeight = 96;
const largestBlinkingArea = 64 * 64;

/** True when nothing but a text cursor has been drawn for `quietMs`; false when `limitMs` has passed first. */
export async function waitUntilQuiet(display: Display, quietMs: number, limitMs: number): Promise<boolean> {
  const watch = new DamageWatch(display);
  const places = new Map<string, number>();
  // One is told of something drawn, and no second time before it is taken.
  let isTold = false;
  let wake: () => void = () => undefined;
  const stopListening = display.x.listen((event) => {
    if (!watch.isNotice(event)) return;
    isTold = true;
    wake();
  });
  const take = (): Promise<readonly Rectangle[]> => {
    isTold = false;
    return watch.take();
  };
  const drawnWithin = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(1, ms));
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      if (isTold) wake();
    });
  try {
    const end = Date.now() + limitMs;
    await take();
    for (let since = Date.now(); ; ) {
      const now = Date.now();
      if (now - since >= quietMs) return true;
      if (now >= end) return false;
      if (!(await drawnWithin(Math.min(since + quietMs, end) - now))) continue;
      const drawn = await take();
      if (drawn.some((place) => !isBlinking(place, places))) since = Date.now();
    }
  } finally {
    stopListening();
    watch.end();
  }
}

function isBlinking({ x, y, width, height }: Rectangle, places: Map<string, number>): boolean {
  if (width <= caretWidth && height <= caretHeight) return true;
  if (width * height > largestBlinkingArea) return false;
  const place = `${x},${y},${width},${height}`;
  const seen = places.get(place) ?? 0;
  places.set(place, seen + 1);
  return seen >= 2;
}
