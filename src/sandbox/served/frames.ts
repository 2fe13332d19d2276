import { Buffer } from "node:buffer";

/**
 * What passes between the host and the program that serves a machine. From the host: `R` request, `D` data, `E` end of
 * data, `W` credit, `K` end the command, `X` close. From the machine: `A` answer, `V` event, `O` output, `F` end of a
 * stream, `W` credit. On channel 0 the machine's program says that it ends, and why.
 */
export type FrameKind = "R" | "D" | "E" | "W" | "K" | "X" | "A" | "V" | "O" | "F";

export interface Frame {
  readonly kind: FrameKind;
  readonly channel: number;
  readonly payload: Buffer;
}

/** More than our own program ever sends in one piece: beyond it, what comes is no frame. */
const longestFrame = 64 * 1024 * 1024;

/** A frame as bytes: length of the rest, kind, channel, payload. */
export function encodeFrame(kind: FrameKind, channel: number, payload: Uint8Array | string = ""): Buffer {
  const content = typeof payload === "string" ? Buffer.from(payload) : payload;
  const frame = Buffer.allocUnsafe(9 + content.length);
  frame.writeUInt32BE(5 + content.length, 0);
  frame.write(kind, 4, "latin1");
  frame.writeUInt32BE(channel, 5);
  frame.set(content, 9);
  return frame;
}

/** Puts frames together from pieces of any size. */
export class FrameDecoder {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** The frames that are whole now. Throws a `RangeError` for a length no frame has. */
  push(piece: Buffer): Frame[] {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const frames: Frame[] = [];
    for (;;) {
      const length = this.#length();
      if (length === undefined || this.#bytes < 4 + length) return frames;
      const all = this.#joined();
      frames.push({
        kind: all.toString("latin1", 4, 5) as FrameKind,
        channel: all.readUInt32BE(5),
        payload: all.subarray(9, 4 + length),
      });
      const rest = all.subarray(4 + length);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#bytes = rest.length;
    }
  }

  #length(): number | undefined {
    if (this.#bytes < 4) return undefined;
    const [first] = this.#pieces;
    const start = first !== undefined && first.length >= 4 ? first : this.#joined();
    const length = start.readUInt32BE(0);
    if (length < 5 || length > longestFrame) throw new RangeError(`a frame of ${length} bytes`);
    return length;
  }

  #joined(): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}
