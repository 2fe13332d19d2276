/** What is wrong with a MIDI file, in a few words. */
export class MidiProblem extends Error {}

/** Reads big-endian numbers and chunks, and says so when there is nothing left. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new MidiProblem("it is cut off");
    return byte;
  }

  uint8(): number {
    const byte = this.peek();
    this.#at++;
    return byte;
  }

  /** A data byte of an event: below 128. */
  data(): number {
    const byte = this.uint8();
    if (byte >= 0x80) throw new MidiProblem("an event lacks its data");
    return byte;
  }

  uint16(): number {
    return this.uint8() * 256 + this.uint8();
  }

  /** A number of seven bits a byte, at most four bytes. */
  variable(): number {
    let value = 0;
    for (let count = 0; count < 4; count++) {
      const byte = this.uint8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new MidiProblem("a number is too long");
  }

  take(length: number): ByteReader {
    if (this.#at + length > this.#bytes.length) throw new MidiProblem("it is cut off");
    this.#at += length;
    return new ByteReader(this.#bytes.subarray(this.#at - length, this.#at));
  }

  /** The content of the next chunk of this name; other chunks before it are passed over. */
  chunk(name: string): ByteReader {
    for (;;) {
      const found = String.fromCharCode(...[0, 1, 2, 3].map(() => this.uint8()));
      const length = this.uint16() * 65536 + this.uint16();
      const content = this.take(length);
      if (found === name) return content;
      if (name === "MThd") throw new MidiProblem("it does not begin as a MIDI file does");
    }
  }
}
