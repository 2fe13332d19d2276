import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The server's end of a web socket for text messages (RFC 6455), as small as a double needs it. */
export class ServerWebSocket {
  onText: (text: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #socket: Duplex;
  #held: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const key = String(request.headers["sec-websocket-key"]);
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on("data", (piece: Buffer) => this.#receive(piece));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.onClose());
    if (head.length > 0) this.#receive(head);
  }

  send(text: string): void {
    this.#frame(0x81, Buffer.from(text));
  }

  close(): void {
    this.#frame(0x88, Buffer.from([0x03, 0xe8]));
    this.#socket.end();
  }

  #frame(first: number, content: Buffer): void {
    if (this.#socket.destroyed) return;
    const long = content.length > 65_535;
    const header = Buffer.alloc(long ? 10 : content.length > 125 ? 4 : 2);
    header[0] = first;
    if (long) {
      header[1] = 127;
      header.writeBigUInt64BE(BigInt(content.length), 2);
    } else if (content.length > 125) {
      header[1] = 126;
      header.writeUInt16BE(content.length, 2);
    } else header[1] = content.length;
    this.#socket.write(Buffer.concat([header, content]));
  }

  #receive(piece: Buffer): void {
    this.#held = Buffer.concat([this.#held, piece]);
    for (;;) {
      if (this.#held.length < 2) return;
      const [first = 0, second = 0] = this.#held;
      const short = second & 0x7f;
      const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
      const start = 2 + lengthBytes + 4;
      if (this.#held.length < start) return;
      const length =
        lengthBytes === 0
          ? short
          : lengthBytes === 2
            ? this.#held.readUInt16BE(2)
            : Number(this.#held.readBigUInt64BE(2));
      if (this.#held.length < start + length) return;
      const mask = this.#held.subarray(start - 4, start);
      const content = Buffer.from(this.#held.subarray(start, start + length));
      for (let at = 0; at < length; at++) content[at] = (content[at] ?? 0) ^ (mask[at % 4] ?? 0);
      this.#held = this.#held.subarray(start + length);
      this.#handle(first, content);
    }
  }

  #handle(first: number, content: Buffer): void {
    const kind = first & 0x0f;
    if (kind === 8) this.#socket.end();
    else if (kind === 9) this.#frame(0x8a, content);
    else if (kind <= 2) {
      this.#parts.push(content);
      if ((first & 0x80) === 0) return;
      const text = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.onText(text);
    }
  }
}
