import { inflateRawSync } from "node:zlib";
import type { RgbFrame } from "../../sandbox/frame/rgb-frame.ts";
import type { ScreenPoint, ScreenRegion } from "../../sandbox/screen.ts";
import type { DriverAnswer } from "./driver-link.ts";

interface CursorShape {
  readonly serial: number;
  readonly width: number;
  readonly height: number;
  readonly hotX: number;
  readonly hotY: number;
}

interface FrameHead {
  readonly rectangles: readonly ScreenRegion[];
  readonly pointer: ScreenPoint;
  readonly cursor?: CursorShape;
}

/** The screen as last seen, brought up to date by what has changed. */
export class HeldFrame {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Buffer;
  #revision = 0;
  #pointer: ScreenPoint = { x: 0, y: 0 };
  #cursor: (CursorShape & { readonly pixels: Buffer }) | undefined;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = Buffer.alloc(width * height * 3);
  }

  /** Names what is seen, pointer included. */
  get revision(): string {
    return `${this.#revision}-${this.#cursor?.serial ?? 0}-${this.#pointer.x}-${this.#pointer.y}`;
  }

  update(answer: DriverAnswer, isPacked: boolean): void {
    const { rectangles, pointer, cursor } = answer.head as unknown as FrameHead;
    const bytes = isPacked && answer.bytes.length > 0 ? inflateRawSync(answer.bytes) : answer.bytes;
    let at = 0;
    for (const { x, y, width, height } of rectangles) {
      const row = width * 3;
      for (let line = 0; line < height; line++, at += row) {
        bytes.copy(this.#pixels, ((y + line) * this.width + x) * 3, at, at + row);
      }
    }
    if (rectangles.length > 0) this.#revision++;
    this.#pointer = pointer;
    if (cursor !== undefined) this.#cursor = { ...cursor, pixels: Buffer.from(bytes.subarray(at)) };
  }

  /** A copy of a region with the pointer drawn in. */
  picture(region: ScreenRegion): RgbFrame {
    const row = region.width * 3;
    const pixels = Buffer.allocUnsafe(row * region.height);
    for (let line = 0; line < region.height; line++) {
      const from = ((region.y + line) * this.width + region.x) * 3;
      this.#pixels.copy(pixels, line * row, from, from + row);
    }
    this.#drawPointer(pixels, region);
    return { width: region.width, height: region.height, pixels };
  }

  #drawPointer(target: Buffer, region: ScreenRegion): void {
    const cursor = this.#cursor;
    if (cursor === undefined) return;
    const left = this.#pointer.x - cursor.hotX - region.x;
    const top = this.#pointer.y - cursor.hotY - region.y;
    for (let line = Math.max(0, -top); line < cursor.height && top + line < region.height; line++) {
      for (let column = Math.max(0, -left); column < cursor.width && left + column < region.width; column++) {
        const source = (line * cursor.width + column) * 4;
        const opacity = (cursor.pixels[source + 3] ?? 0) / 255;
        const at = ((top + line) * region.width + left + column) * 3;
        for (let channel = 0; channel < 3; channel++) {
          const under = target[at + channel] ?? 0;
          const over = cursor.pixels[source + channel] ?? 0;
          target[at + channel] = Math.round(under + (over - under) * opacity);
        }
      }
    }
  }
}
