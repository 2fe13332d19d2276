import { Socket } from "node:net";
import { PassThrough, type Readable } from "node:stream";

/** More than a pipe can hold: what a background process writes after the command's end is not the command's. */
const mostLeftInPipe = 1024 * 1024;

/**
 * The read end of a command's output. A background process may hold the other end long after the command has
 * ended: then the stream ends for the reader, and what still comes is drained, so that nobody blocks or dies
 * of a broken pipe.
 */
export class OutputStream {
  readonly #socket: Socket;
  readonly #through: PassThrough = new PassThrough();
  #bytes = 0;
  #ended = false;

  constructor(readEnd: number) {
    this.#socket = new Socket({ fd: readEnd, readable: true, writable: false });
    this.#socket.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (!this.#ended && !this.#through.write(chunk)) this.#socket.pause();
    });
    this.#through.on("drain", () => this.#socket.resume());
    this.#through.on("close", () => this.#socket.resume());
    this.closed = new Promise((resolve) => {
      this.#socket.once("close", () => resolve());
    });
    this.#socket.on("close", () => this.#finish());
    this.#socket.on("error", () => this.#finish());
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when no process holds the other end any more. */
  readonly closed: Promise<void>;

  get reader(): Readable {
    return this.#through;
  }

  /** Call when the command has ended: resolves when all it wrote has been handed to the reader. */
  async commandEnded(): Promise<void> {
    const before = this.#bytes;
    while (!this.#ended && this.#bytes - before <= mostLeftInPipe) {
      if (this.#socket.isPaused()) await this.#drained();
      const seen = this.#bytes;
      // Two turns: what was in the pipe is read by the event loop's poll between them.
      await nextTurn();
      await nextTurn();
      if (this.#bytes === seen && !this.#socket.isPaused()) break;
    }
    this.#finish();
    this.#socket.unref();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#finish();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#through.once("drain", resolve);
      this.#through.once("close", resolve);
    });
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#through.end();
    this.#socket.resume();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
