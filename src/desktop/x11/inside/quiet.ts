import type { Display, Rectangle } from "./display.ts";
import { DamageWatch } from "./frames.ts";

/** A text cursor is narrow; one drawn wider is known by coming again at the same place. */
const caretWidth = 4;
const caretHeight = 96;
const largestBlinkingArea = 64 * 64;

/** Tells when the screen has come to rest. */
export class QuietWatch {
  readonly #watch: DamageWatch;
  readonly #changed = new Set<() => void>();
  /** Told of something drawn that has not been taken yet: one is told no second time before. */
  #isTold = false;

  constructor(display: Display) {
    this.#watch = new DamageWatch(display);
    display.x.listen((event) => {
      if (!this.#watch.isNotice(event)) return;
      this.#isTold = true;
      for (const notify of this.#changed) notify();
    });
  }

  /** True when nothing but a text cursor has been drawn for `quietMs`; false when `limitMs` has passed first. */
  async wait(quietMs: number, limitMs: number): Promise<boolean> {
    const end = Date.now() + limitMs;
    const places = new Map<string, number>();
    await this.#take();
    for (let since = Date.now(); ; ) {
      const now = Date.now();
      if (now - since >= quietMs) return true;
      if (now >= end) return false;
      if (!(await this.#drawnWithin(Math.min(since + quietMs, end) - now))) continue;
      const drawn = await this.#take();
      if (drawn.some((place) => !isBlinking(place, places))) since = Date.now();
    }
  }

  #take(): Promise<readonly Rectangle[]> {
    this.#isTold = false;
    return this.#watch.take();
  }

  #drawnWithin(ms: number): Promise<boolean> {
    if (this.#isTold) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (drawn: boolean): void => {
        clearTimeout(timer);
        this.#changed.delete(drawnNow);
        resolve(drawn);
      };
      const drawnNow = (): void => finish(true);
      const timer = setTimeout(() => finish(false), Math.max(1, ms));
      this.#changed.add(drawnNow);
    });
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
