import type { Clock } from "../../contract/clock.ts";
import type { RgbFrame } from "./rgb-frame.ts";

/** A text cursor is smaller than this, in pixels each way. */
const cursorSize = 40;

export interface QuietOptions {
  readonly frame: () => Promise<RgbFrame>;
  readonly clock: Clock;
  readonly quietMs: number;
  readonly limitMs: number;
}

/** Resolves true once nothing larger than a text cursor has changed for `quietMs`, false when `limitMs` is over first. */
export async function untilQuiet({ frame, clock, quietMs, limitMs }: QuietOptions): Promise<boolean> {
  const end = clock.monotonic() + limitMs;
  let last = await frame();
  let since = clock.monotonic();
  for (;;) {
    const now = clock.monotonic();
    if (now - since >= quietMs) return true;
    if (now >= end) return false;
    await clock.sleep(Math.max(1, Math.min(100, quietMs / 3, end - now)));
    const next = await frame();
    if (!looksAlike(last, next)) {
      last = next;
      since = clock.monotonic();
    }
  }
}

/** True when all that differs lies within the size of a text cursor. */
export function looksAlike(a: RgbFrame, b: RgbFrame): boolean {
  if (a.width !== b.width || a.height !== b.height) return false;
  let [left, right, top, bottom] = [Number.POSITIVE_INFINITY, -1, -1, -1];
  const rowBytes = a.width * 3;
  for (let y = 0; y < a.height; y++) {
    const one = a.pixels.subarray(y * rowBytes, (y + 1) * rowBytes);
    const other = b.pixels.subarray(y * rowBytes, (y + 1) * rowBytes);
    if (Buffer.compare(one, other) === 0) continue;
    if (top < 0) top = y;
    bottom = y;
    let first = 0;
    while (one[first] === other[first]) first++;
    let last = rowBytes - 1;
    while (one[last] === other[last]) last--;
    left = Math.min(left, Math.floor(first / 3));
    right = Math.max(right, Math.floor(last / 3));
  }
  return top < 0 || (right - left < cursorSize && bottom - top < cursorSize);
}
