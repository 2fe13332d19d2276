import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { JsonValue } from "../../contract/json-value.ts";
import { CreditedInput, CreditedOutput } from "../forward/credited-streams.ts";
import type { FrameKind } from "./frames.ts";

/** Bytes of a stream that may be under way without the other side having said it took some. */
export const windowBytes: number = 512 * 1024;

export type SendFrame = (kind: FrameKind, channel: number, payload?: Uint8Array | string) => void;

/** An answer or event of the machine's program. */
export type Told = { readonly [key: string]: JsonValue };

/** One command, operation or connection of a machine, with its streams. Streams that are not read hold it up. */
export class MachineChannel {
  readonly number: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Rejects only when the link to the machine is lost first. */
  readonly answer: Promise<Told>;
  /** Called for every event. */
  onEvent: (event: Told) => void = () => undefined;
  /** Bytes that have come on each stream. */
  readonly received: { stdout: number; stderr: number } = { stdout: 0, stderr: 0 };
  readonly #send: SendFrame;
  readonly #outputs: readonly [CreditedOutput, CreditedOutput];
  readonly #input: CreditedInput;
  readonly #settle: PromiseWithResolvers<Told> = Promise.withResolvers();

  constructor(number: number, send: SendFrame) {
    this.number = number;
    this.#send = send;
    const output = (stream: number): CreditedOutput =>
      new CreditedOutput((bytes) => {
        const credit = Buffer.alloc(5);
        credit.writeUInt8(stream, 0);
        credit.writeUInt32BE(bytes, 1);
        send("W", number, credit);
      });
    this.#outputs = [output(1), output(2)];
    this.#input = new CreditedInput(
      windowBytes,
      (piece) => send("D", number, piece),
      () => send("E", number),
    );
    [this.stdout, this.stderr] = this.#outputs;
    this.stdin = this.#input;
    this.answer = this.#settle.promise;
    // Whoever awaits it sees the rejection; nobody has to.
    this.answer.catch(() => undefined);
  }

  /** Signals the command: `gently` asks it to end, otherwise it and all it started are killed. */
  end(gently: boolean): void {
    this.#send("K", this.number, JSON.stringify({ gently }));
  }

  close(): void {
    this.#send("X", this.number);
    for (const output of this.#outputs) output.finish();
    this.#input.stop();
  }

  /** Takes what the machine sent. True when the channel is over with it. */
  receive(kind: FrameKind, payload: Buffer): boolean {
    switch (kind) {
      case "O": {
        const first = payload[0] === 1;
        const content = payload.subarray(1);
        this.received[first ? "stdout" : "stderr"] += content.length;
        this.#outputs[first ? 0 : 1].accept(content);
        return false;
      }
      case "F":
        this.#outputs[payload[0] === 1 ? 0 : 1].finish();
        return false;
      case "W":
        this.#input.credit(payload.readUInt32BE(0));
        return false;
      case "V":
        this.onEvent(JSON.parse(payload.toString("utf8")) as Told);
        return false;
      case "A":
        for (const output of this.#outputs) output.finish();
        this.#input.stop();
        this.#settle.resolve(JSON.parse(payload.toString("utf8")) as Told);
        return true;
      default:
        return false;
    }
  }

  /** The link is lost. */
  lose(error: Error): void {
    for (const output of this.#outputs) output.finish();
    this.#input.stop();
    this.#settle.reject(error);
  }
}
