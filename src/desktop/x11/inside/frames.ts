import { coreRequest, extensionRequest } from "./connection.ts";
import type { Display, Rectangle } from "./display.ts";

/** The pointer's picture, straight RGBA, and which of its pixels is where the pointer is. */
export interface CursorPicture {
  readonly serial: number;
  readonly width: number;
  readonly height: number;
  readonly hotX: number;
  readonly hotY: number;
  readonly pixels: Buffer;
}

/** What is different on the screen since the last time: RGB, row by row, rectangle by rectangle. */
export interface FrameChange {
  readonly rectangles: readonly Rectangle[];
  readonly pixels: Buffer;
  readonly pointer: { readonly x: number; readonly y: number };
  /** Only when it is another than last time. */
  readonly cursor: CursorPicture | undefined;
}

/** More are joined: a request each costs more than the pixels between them. */
const mostRectangles = 24;

/** Watches what is drawn on a whole screen: the X server keeps account, so that nothing drawn costs nothing. */
export class DamageWatch {
  readonly #display: Display;
  readonly #damage: number;
  readonly #region: number;

  constructor(display: Display) {
    this.#display = display;
    const { x, root, damage, fixes } = display;
    this.#damage = x.newId();
    this.#region = x.newId();
    // Level 3: told once, when there is anything new.
    x.send(extensionRequest(damage.opcode, 1, [this.#damage, root, 3]));
    x.send(extensionRequest(fixes.opcode, 5, [this.#region]));
  }

  /** Whether an event is this watch's. */
  isNotice(event: Buffer): boolean {
    return (
      (event.readUInt8(0) & 0x7f) === this.#display.damage.firstEvent &&
      event.readUInt32LE(8) === this.#damage
    );
  }

  end(): void {
    const { x, damage, fixes } = this.#display;
    x.send(extensionRequest(damage.opcode, 2, [this.#damage]));
    x.send(extensionRequest(fixes.opcode, 10, [this.#region]));
  }

  /** What was drawn on since the last time, and forgets it. */
  async take(): Promise<readonly Rectangle[]> {
    const { x, damage, fixes } = this.#display;
    x.send(extensionRequest(damage.opcode, 3, [this.#damage, 0, this.#region]));
    const reply = await x.ask(extensionRequest(fixes.opcode, 19, [this.#region]));
    return Array.from({ length: reply.readUInt32LE(4) / 2 }, (_, index) => {
      const at = 32 + index * 8;
      return {
        x: reply.readInt16LE(at),
        y: reply.readInt16LE(at + 2),
        width: reply.readUInt16LE(at + 4),
        height: reply.readUInt16LE(at + 6),
      };
    });
  }
}

/** Gives the screen piece by piece, as it changes. */
export class FrameSource {
  readonly #display: Display;
  readonly #watch: DamageWatch;
  #isFirst = true;
  #isCursorNew = true;

  constructor(display: Display) {
    this.#display = display;
    this.#watch = new DamageWatch(display);
    const { x, root, fixes } = display;
    x.send(extensionRequest(fixes.opcode, 3, [root, 1]));
    x.listen((event) => {
      if ((event.readUInt8(0) & 0x7f) === fixes.firstEvent + 1) this.#isCursorNew = true;
    });
  }

  async next(): Promise<FrameChange> {
    const { width, height } = this.#display;
    // The first three questions are on their way together; what they find was true at one time.
    const [damaged, pointer] = await Promise.all([this.#watch.take(), readPointer(this.#display)]);
    const whole = { x: 0, y: 0, width, height };
    const rectangles = this.#isFirst ? [whole] : joined(damaged, this.#display);
    const cursorAsked = this.#isCursorNew ? readCursor(this.#display) : undefined;
    this.#isCursorNew = false;
    const parts = await Promise.all(rectangles.map((rectangle) => readPixels(this.#display, rectangle)));
    this.#isFirst = false;
    const pixels = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    return { rectangles, pixels, pointer, cursor: await cursorAsked };
  }
}

export async function readPointer({ x, root }: Display): Promise<{ readonly x: number; readonly y: number }> {
  const request = coreRequest(38, 0, 4);
  request.writeUInt32LE(root, 4);
  const reply = await x.ask(request);
  return { x: reply.readInt16LE(16), y: reply.readInt16LE(18) };
}

/** All of the screen as it is now, RGB. */
export function readWholeScreen(display: Display): Promise<Buffer> {
  return readPixels(display, { x: 0, y: 0, width: display.width, height: display.height });
}

async function readPixels({ x, root }: Display, area: Rectangle): Promise<Buffer> {
  const request = coreRequest(73, 2, 16);
  request.writeUInt32LE(root, 4);
  request.writeInt16LE(area.x, 8);
  request.writeInt16LE(area.y, 10);
  request.writeUInt16LE(area.width, 12);
  request.writeUInt16LE(area.height, 14);
  request.writeUInt32LE(0xffff_ffff, 16);
  const reply = await x.ask(request);
  return packed(reply, area.width * area.height);
}

/** From the server's blue, green, red, unused to red, green, blue. */
function packed(reply: Buffer, count: number): Buffer {
  const aligned = reply.byteOffset % 4 === 0 ? reply : Buffer.from(reply);
  const source = new Uint32Array(aligned.buffer, aligned.byteOffset + 32, count);
  const target = Buffer.allocUnsafe(count * 3);
  for (let index = 0, at = 0; index < count; index++, at += 3) {
    const pixel = source[index] as number;
    target[at] = pixel >>> 16;
    target[at + 1] = pixel >>> 8;
    target[at + 2] = pixel;
  }
  return target;
}

async function readCursor({ x, fixes }: Display): Promise<CursorPicture> {
  const reply = await x.ask(extensionRequest(fixes.opcode, 4, []));
  const width = reply.readUInt16LE(12);
  const height = reply.readUInt16LE(14);
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    // Premultiplied ARGB in a 32-bit word.
    const alpha = reply.readUInt8(32 + at + 3);
    for (let channel = 0; channel < 3; channel++) {
      const value = reply.readUInt8(32 + at + 2 - channel);
      pixels[at + channel] = alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha));
    }
    pixels[at + 3] = alpha;
  }
  const serial = reply.readUInt32LE(20);
  return { serial, width, height, hotX: reply.readUInt16LE(16), hotY: reply.readUInt16LE(18), pixels };
}

/** Rectangles on the screen; many are joined into the one around them. */
function joined(rectangles: readonly Rectangle[], { width, height }: Display): readonly Rectangle[] {
  const inside = rectangles
    .map((item) => {
      const x = Math.max(0, item.x);
      const y = Math.max(0, item.y);
      return {
        x,
        y,
        width: Math.min(width, item.x + item.width) - x,
        height: Math.min(height, item.y + item.height) - y,
      };
    })
    .filter((item) => item.width > 0 && item.height > 0);
  if (inside.length <= mostRectangles) return inside;
  const left = Math.min(...inside.map((item) => item.x));
  const top = Math.min(...inside.map((item) => item.y));
  const right = Math.max(...inside.map((item) => item.x + item.width));
  const bottom = Math.max(...inside.map((item) => item.y + item.height));
  return [{ x: left, y: top, width: right - left, height: bottom - top }];
}
