import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { parseJson, textAt } from "../../../contract/json-fields.ts";

/** Less than a terminal's input holds once it is base64. */
const pieceBytes = 2048;

/**
 * A byte stream over a terminal that a web socket shows. What a terminal carries safely is lines of base64; everything
 * before the line `ready <nonce>` is the terminal's own, and after it each line is one frame. Fails with an error that
 * quotes any other line: others can write to a terminal too.
 */
export class TerminalStream extends Duplex {
  readonly #socket: WebSocket;
  readonly #nonce: string;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  #text = "";
  #begun = false;

  private constructor(socket: WebSocket, nonce: string) {
    super();
    this.#socket = socket;
    this.#nonce = nonce;
    socket.addEventListener("message", (event) => this.#message(String(event.data)));
    socket.addEventListener("close", () => this.#end("the terminal was closed"));
    socket.addEventListener("error", () => this.#end("the terminal's connection broke"));
  }

  /** Resolves when the program at the other end is ready. */
  static async open(url: string, nonce: string): Promise<TerminalStream> {
    const stream = new TerminalStream(new WebSocket(url), nonce);
    await stream.#ready.promise;
    return stream;
  }

  override _read(): void {
    // What has come is pushed as it comes: the other end holds it to a window of its own.
  }

  override _write(content: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    for (let at = 0; at < content.length; at += pieceBytes) {
      this.#say(`${content.subarray(at, at + pieceBytes).toString("base64")}\n`);
    }
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.close();
    done(error);
  }

  #say(text: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: "stdin", data: Buffer.from(text).toString("base64") }));
  }

  #message(message: string): void {
    const told = parseJson(message);
    if (textAt(told, "type") === "exit") this.#end("the program on the machine ended");
    if (textAt(told, "type") !== "output") return;
    this.#text += Buffer.from(textAt(told, "data") ?? "", "base64").toString("latin1");
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) if (!this.destroyed) this.#line(line.trim());
  }

  #line(line: string): void {
    if (line === `ready ${this.#nonce}`) {
      if (!this.#begun) this.#say(`begin ${this.#nonce}\n`);
      this.#begun = true;
      this.#ready.resolve();
    } else if (this.#begun && line !== "") this.#frame(line);
  }

  #frame(line: string): void {
    const frame = Buffer.from(line, "base64");
    if (
      frame.length >= 9 &&
      frame.readUInt32BE(0) === frame.length - 4 &&
      frame.toString("base64") === line
    ) {
      this.push(frame);
    } else
      this.destroy(new Error(`the terminal shows what is no frame: ${JSON.stringify(line.slice(0, 200))}`));
  }

  #end(why: string): void {
    this.#ready.reject(new Error(why));
    if (!this.destroyed) {
      this.push(null);
      this.destroy();
    }
  }
}
