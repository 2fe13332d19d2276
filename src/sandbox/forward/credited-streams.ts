import { Readable, Writable } from "node:stream";

const pieceBytes = 64 * 1024;

/** What the machine writes: taken as it comes, credited as it is read. */
export class CreditedOutput extends Readable {
  readonly #credit: (bytes: number) => void;
  readonly #waiting: Buffer[] = [];
  #finished = false;
  #wanted = false;

  constructor(credit: (bytes: number) => void) {
    super({ highWaterMark: pieceBytes });
    this.#credit = credit;
  }

  accept(content: Buffer): void {
    this.#waiting.push(content);
    this.#hand();
  }

  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#hand();
  }

  override _read(): void {
    this.#wanted = true;
    this.#hand();
  }

  #hand(): void {
    while (this.#wanted && this.#waiting.length > 0) {
      const content = this.#waiting.shift() as Buffer;
      this.#wanted = this.push(content);
      if (!this.#finished) this.#credit(content.length);
    }
    if (this.#finished && this.#waiting.length === 0 && !this.readableEnded) this.push(null);
  }
}

/** What the machine is given to read: no more is under way than it has room for. */
export class CreditedInput extends Writable {
  readonly #piece: (content: Buffer) => void;
  readonly #end: () => void;
  #room: number;
  #waiting: { readonly content: Buffer; readonly done: () => void } | undefined;
  #stopped = false;

  /** @param room bytes that may be sent before the machine has told of any room. */
  constructor(room: number, piece: (content: Buffer) => void, end: () => void) {
    super({ highWaterMark: pieceBytes });
    this.#room = room;
    this.#piece = piece;
    this.#end = end;
  }

  credit(bytes: number): void {
    this.#room += bytes;
    this.#go();
  }

  /** A program need not read all its input: what is left of it goes nowhere. */
  stop(): void {
    this.#stopped = true;
    this.#go();
  }

  override _write(content: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#waiting = { content, done };
    this.#go();
  }

  override _final(done: () => void): void {
    if (!this.#stopped) this.#end();
    done();
  }

  #go(): void {
    while (this.#waiting !== undefined) {
      const { content, done } = this.#waiting;
      const size = this.#stopped ? content.length : Math.min(content.length, this.#room, pieceBytes);
      if (size === 0 && content.length > 0) return;
      if (!this.#stopped && size > 0) this.#piece(content.subarray(0, size));
      this.#room -= size;
      const rest = content.subarray(size);
      this.#waiting = rest.length === 0 ? undefined : { content: rest, done };
      if (rest.length === 0) done();
    }
  }
}
