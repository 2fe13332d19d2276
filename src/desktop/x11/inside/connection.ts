import * as net from "node:net";

/** What a request was answered with: an error of the X server, or of this program's own. */
export class DriverError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ExtensionInfo {
  readonly opcode: number;
  readonly firstEvent: number;
}

interface PendingReply {
  readonly sequence: number;
  resolve(reply: Buffer): void;
  reject(error: unknown): void;
}

/** Events begin with a type of 0 to 127; the upper bit marks those another client has sent. */
export type EventListener = (event: Buffer) => void;

const replyHeaderBytes = 32;
const largestSmallRequestWords = 0xffff;

/** A client of an X server over its unix socket: protocol 11 (X.Org, X11 protocol 1.0), little-endian. */
export class XConnection {
  readonly #socket: net.Socket;
  readonly #pending: PendingReply[] = [];
  readonly #listeners = new Set<EventListener>();
  readonly #atoms = new Map<string, Promise<number>>();
  #chunks: Buffer[] = [];
  #held = 0;
  #needed = 8;
  #sequence = 0;
  #nextId = 0;
  #setUp: ((setup: Buffer) => void) | undefined;
  #lost: DriverError | undefined;
  readonly #closed: Promise<void>;
  /** Of the connection's set-up answer. */
  setup: Buffer = Buffer.alloc(0);

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#lose(error.message));
    this.#closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#lose("the X server closed the connection");
        resolve();
      });
    });
  }

  /** Connects and greets. Rejects with `display-lost`. */
  static async open(path: string): Promise<XConnection> {
    const socket = net.connect(path);
    const connection = new XConnection(socket);
    const setup = await new Promise<Buffer>((resolve, reject) => {
      connection.#setUp = resolve;
      connection.#closed.then(() => reject(connection.#lost));
      const hello = Buffer.alloc(12);
      hello.write("l", 0);
      hello.writeUInt16LE(11, 2);
      socket.write(hello);
    });
    if (setup[0] !== 1) {
      socket.destroy();
      throw new DriverError("display-lost", `the X server refused: ${setup.toString("latin1", 8).trim()}`);
    }
    connection.setup = setup;
    connection.#setUp = undefined;
    const { opcode } = await connection.extension("BIG-REQUESTS");
    await connection.ask(extensionRequest(opcode, 0, []));
    return connection;
  }

  /** Resolves once the connection is lost. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  close(): void {
    this.#socket.destroy();
  }

  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A fresh id for a window, region or the like. */
  newId(): number {
    const base = this.setup.readUInt32LE(12);
    return base + this.#nextId++;
  }

  /** Sends a request that has no reply. */
  send(request: Buffer): void {
    if (this.#lost !== undefined) return;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#socket.write(lengthened(request));
  }

  /** Sends a request and gives its whole reply. */
  ask(request: Buffer): Promise<Buffer> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    this.send(request);
    const sequence = this.#sequence;
    return new Promise((resolve, reject) => {
      this.#pending.push({ sequence, resolve, reject });
    });
  }

  /** Resolves when the server has carried out all that was sent: GetInputFocus, the cheapest question. */
  async sync(): Promise<void> {
    await this.ask(coreRequest(43, 0, 0));
  }

  /** Rejects with `display-lacks` where the server does not have it. */
  async extension(name: string): Promise<ExtensionInfo> {
    const padded = Math.ceil(name.length / 4) * 4;
    const request = coreRequest(98, 0, 4 + padded);
    request.writeUInt16LE(name.length, 4);
    request.write(name, 8, "latin1");
    const reply = await this.ask(request);
    if (reply[8] !== 1) throw new DriverError("display-lacks", `the X server has no extension ${name}`);
    return { opcode: reply.readUInt8(9), firstEvent: reply.readUInt8(10) };
  }

  atom(name: string): Promise<number> {
    const known = this.#atoms.get(name);
    if (known !== undefined) return known;
    const request = coreRequest(16, 0, 4 + Math.ceil(name.length / 4) * 4);
    request.writeUInt16LE(name.length, 4);
    request.write(name, 8, "latin1");
    const asked = this.ask(request).then((reply) => reply.readUInt32LE(8));
    this.#atoms.set(name, asked);
    return asked;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#needed) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      const bytes = this.#messageBytes(all);
      if (all.length < bytes) {
        this.#chunks = [all];
        this.#needed = bytes;
        return;
      }
      const rest = all.subarray(bytes);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#held = rest.length;
      this.#needed = this.#setUp === undefined ? replyHeaderBytes : 8;
      this.#handle(all.subarray(0, bytes));
    }
  }

  #messageBytes(head: Buffer): number {
    if (this.#setUp !== undefined) return 8 + head.readUInt16LE(6) * 4;
    if (head.length < replyHeaderBytes) return replyHeaderBytes;
    const type = head[0];
    return type === 1 || type === 35 ? replyHeaderBytes + head.readUInt32LE(4) * 4 : replyHeaderBytes;
  }

  #handle(message: Buffer): void {
    if (this.#setUp !== undefined) {
      this.#needed = replyHeaderBytes;
      const greeted = this.#setUp;
      this.#setUp = undefined;
      greeted(message);
      return;
    }
    const type = message[0];
    if (type !== 0 && type !== 1) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    const first = this.#pending[0];
    if (first === undefined || first.sequence !== message.readUInt16LE(2)) return;
    this.#pending.shift();
    if (type === 1) first.resolve(message);
    else first.reject(new DriverError("display-error", `X error ${message[1]} of request ${message[10]}`));
  }

  #lose(reason: string): void {
    this.#lost ??= new DriverError("display-lost", reason);
    for (const pending of this.#pending.splice(0)) pending.reject(this.#lost);
  }
}

/** A core request with `body` bytes after its header of four. */
export function coreRequest(opcode: number, data: number, body: number): Buffer {
  const request = Buffer.alloc(4 + body);
  request.writeUInt8(opcode, 0);
  request.writeUInt8(data, 1);
  request.writeUInt16LE(request.length / 4 <= largestSmallRequestWords ? request.length / 4 : 0, 2);
  return request;
}

/** An extension's request whose body is whole 32-bit words. */
export function extensionRequest(opcode: number, minor: number, words: readonly number[]): Buffer {
  const request = coreRequest(opcode, minor, words.length * 4);
  for (const [index, word] of words.entries()) request.writeUInt32LE(word >>> 0, 4 + index * 4);
  return request;
}

/** The form of BIG-REQUESTS for what is longer than 16 bits can say. */
function lengthened(request: Buffer): Buffer {
  if (request.length / 4 <= largestSmallRequestWords) return request;
  const longer = Buffer.alloc(request.length + 4);
  request.copy(longer, 0, 0, 4);
  longer.writeUInt32LE(longer.length / 4, 4);
  request.copy(longer, 8, 4);
  return longer;
}
