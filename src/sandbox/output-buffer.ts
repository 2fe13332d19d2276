/** Keeps the head and the tail of a stream, with a mark where something was left out. */
export class OutputBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  /** @param limit bytes kept, the mark not counted. */
  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** Bytes written so far, kept or not. */
  get total(): number {
    return this.#total;
  }

  write(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#headLimit - this.#headBytes;
    const toHead = chunk.subarray(0, room);
    if (toHead.length > 0) {
      this.#head.push(toHead);
      this.#headBytes += toHead.length;
    }
    if (toHead.length === chunk.length) return;
    this.#tail.push(chunk.subarray(toHead.length));
    this.#tailBytes += chunk.length - toHead.length;
    this.#trimTail();
  }

  /** What is kept. */
  bytes(): Uint8Array {
    const tail = Buffer.concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - this.#tailLimit));
    const omitted = this.#total - this.#headBytes - kept.length;
    const mark = omitted > 0 ? [Buffer.from(`\n[… ${omitted} bytes left out …]\n`)] : [];
    return new Uint8Array(Buffer.concat([...this.#head, ...mark, kept]));
  }

  /** Drops whole chunks that can no longer be part of the tail. */
  #trimTail(): void {
    let dropped = 0;
    while (dropped < this.#tail.length - 1) {
      const first = this.#tail[dropped]?.length ?? 0;
      if (this.#tailBytes - first < this.#tailLimit) break;
      this.#tailBytes -= first;
      dropped++;
    }
    if (dropped > 0) this.#tail = this.#tail.slice(dropped);
  }
}
