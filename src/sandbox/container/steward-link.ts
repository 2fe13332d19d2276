import type { Duplex } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import { decodeList, encodeFrame, encodeList, type Frame, FrameReader } from "./frame.ts";

/** What becomes of a channel's frames. */
export interface ChannelListener {
  frame(type: string, payload: Buffer): void;
  /** The container is no more. */
  gone(): void;
}

/** An answer the steward could not give; the message goes on a path's name. */
export class StewardRefusal extends Error {}

const headBytes = 8;
/** Podman hands the container the body of the request that joined it, before anything of ours. */
const firstBytes = "\0ale\n";
const errorBytes = 4096;

/** The connection with a container's first process, through the daemon. */
export class StewardLink {
  readonly #stream: Duplex;
  readonly #listeners: Map<number, ChannelListener> = new Map();
  readonly #frames = new FrameReader();
  #unread: Buffer = Buffer.alloc(0);
  #channels = 0;
  #errors = "";
  #gone = false;
  /** What the steward says of its system as it begins: kernel, architecture, name. Rejects when it does not. */
  readonly begun: Promise<readonly string[]>;

  /** @param stream the container's standard streams, as the daemon joins them. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    this.begun = new Promise((resolve, reject) => {
      this.#listeners.set(0, {
        frame: (_, payload) => resolve(payload.toString().split("\n")),
        gone: () => reject(this.#failure()),
      });
    });
    this.begun.catch(() => undefined);
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    for (const event of ["end", "close", "error"]) stream.on(event, () => this.close());
    stream.write(firstBytes);
  }

  /** True once nothing comes through any more. */
  get gone(): boolean {
    return this.#gone;
  }

  /** A channel of one's own. */
  open(listener: ChannelListener): number {
    const channel = ++this.#channels;
    this.adopt(channel, listener);
    return channel;
  }

  /** The channel of a connection, which the steward has numbered: above {@link open}'s own. */
  adopt(channel: number, listener: ChannelListener): void {
    this.#listeners.set(channel, listener);
    if (this.#gone) queueMicrotask(() => listener.gone());
  }

  closeChannel(channel: number): void {
    this.#listeners.delete(channel);
  }

  send(type: string, channel: number, payload?: Uint8Array | string): void {
    if (!this.#gone) this.#stream.write(encodeFrame(type, channel, payload));
  }

  /** Lets the steward send so many bytes more of a channel's output. */
  grant(channel: number, stream: number, bytes: number): void {
    const room = Buffer.alloc(5);
    room.writeUInt8(stream);
    room.writeUInt32BE(bytes, 1);
    this.send("W", channel, room);
  }

  /** Resolves when there is room for more. */
  async drained(): Promise<void> {
    if (this.#gone || !this.#stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of ["drain", "close", "error"]) this.#stream.off(event, done);
        resolve();
      };
      for (const event of ["drain", "close", "error"]) this.#stream.on(event, done);
    });
  }

  /** Asks and waits. Rejects with {@link StewardRefusal}, or an `AleError` coded `sandbox-gone`. */
  ask(type: "F" | "Q", fields: readonly (Uint8Array | string | number)[]): Promise<readonly Buffer[]> {
    return this.answer(type, fields, () => undefined);
  }

  /** As {@link ask}; `more` sends what belongs to the question. */
  async answer(
    type: "F" | "Q",
    fields: readonly (Uint8Array | string | number)[],
    more: (channel: number) => Promise<void> | undefined,
  ): Promise<readonly Buffer[]> {
    let channel = 0;
    const answered = new Promise<readonly Buffer[]>((resolve, reject) => {
      channel = this.open({
        frame: (kind, payload) =>
          kind === "R" ? resolve(decodeList(payload)) : reject(new StewardRefusal(payload.toString())),
        gone: () => reject(this.#failure()),
      });
    });
    answered.catch(() => undefined);
    try {
      this.send(type, channel, encodeList(fields));
      await more(channel);
      return await answered;
    } finally {
      this.closeChannel(channel);
    }
  }

  /** Lets go of the container, which ends with that. */
  close(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#stream.destroy();
    for (const listener of [...this.#listeners.values()]) listener.gone();
    this.#listeners.clear();
  }

  #failure(): AleError {
    const why = this.#errors.trim();
    return new AleError({
      code: "sandbox-gone",
      message: `The container has ended${why === "" ? "" : `: ${why}`}.`,
    });
  }

  /** The daemon puts eight bytes before every piece: which stream, and how long (Engine API, attach). */
  #take(chunk: Buffer): void {
    let bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    while (bytes.length >= headBytes) {
      const length = bytes.readUInt32BE(4);
      if (bytes.length < headBytes + length) break;
      const piece = bytes.subarray(headBytes, headBytes + length);
      if (bytes[0] === 2) this.#errors = (this.#errors + piece.toString()).slice(-errorBytes);
      else for (const frame of this.#frames.push(piece)) this.#give(frame);
      bytes = bytes.subarray(headBytes + length);
    }
    this.#unread = bytes;
  }

  #give({ type, channel, payload }: Frame): void {
    this.#listeners.get(channel)?.frame(type, payload);
  }
}
