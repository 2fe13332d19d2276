import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";

/** Reads lines and counted bytes, by turns, from one stream. */
export class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next line without its end; `undefined` at the end of the stream. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(10);
      if (end >= 0) {
        const line = this.#held.toString("utf8", 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      const next = await this.#pieces.next();
      if (next.done === true) return undefined;
      this.#held = Buffer.concat([this.#held, next.value]);
    }
  }

  /** Some of the next bytes, at most `most`; empty at the end of the stream. */
  async some(most: number): Promise<Buffer> {
    if (this.#held.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return Buffer.alloc(0);
      this.#held = next.value;
    }
    const piece = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(piece.length);
    return piece;
  }
}
