import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import { parseJson, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { encodeFrame, FrameDecoder } from "./frames.ts";
import { MachineChannel, type SendFrame, type Told } from "./machine-channel.ts";

/** A request to the machine's program; `op` names the operation. */
export type MachineRequest = { readonly op: string; readonly [key: string]: JsonValue };

/** The host's end of the link to a machine's program. Loss of the link is final: another client is another link. */
export class MachineClient {
  readonly #stream: Duplex;
  readonly #decoder: FrameDecoder = new FrameDecoder();
  readonly #channels: Map<number, MachineChannel> = new Map();
  readonly #closed: PromiseWithResolvers<void> = Promise.withResolvers();
  #next = 2;
  #heard = 0;
  #lost: Error | undefined;

  private constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on("data", (piece: Buffer) => this.#receive(piece));
    stream.on("error", (error) => this.#lose(error));
    stream.on("close", () => this.#lose(undefined));
    stream.on("end", () => this.#lose(undefined));
  }

  /** Greets the program at the other end and resolves when it has answered. */
  static async open(stream: Duplex): Promise<MachineClient> {
    const client = new MachineClient(stream);
    await client.request({ op: "hello" });
    return client;
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Frames that have come from the machine. */
  get heard(): number {
    return this.#heard;
  }

  /** Resolves when the link is lost or closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** An operation without streams. Rejects with `sandbox-path` for what the machine says cannot be done. */
  async request(request: MachineRequest): Promise<Told> {
    const channel = this.channel(request);
    channel.stdout.resume();
    channel.stderr.resume();
    return accepted(await channel.answer);
  }

  /** An operation with streams. Its `stdin` is read by the machine only when the request says `stdin: true`. */
  channel(request: MachineRequest): MachineChannel {
    if (this.#lost !== undefined) throw this.#lost;
    const channel = this.#add(this.#next);
    this.#next += 2;
    this.#send("R", channel.number, JSON.stringify(request));
    return channel;
  }

  /** The connection a forwarded port has accepted, which the machine has numbered. */
  accepted(number: number): MachineChannel {
    return this.#add(number);
  }

  /** No longer listens to what comes for the channel. */
  forget(channel: MachineChannel): void {
    channel.close();
    this.#channels.delete(channel.number);
  }

  /** @param why what whoever waits for an answer is told. */
  close(why?: string): void {
    this.#stream.destroy();
    this.#lose(why === undefined ? undefined : new Error(why));
  }

  #add(number: number): MachineChannel {
    const channel = new MachineChannel(number, this.#send);
    this.#channels.set(number, channel);
    return channel;
  }

  readonly #send: SendFrame = (kind, channel, payload) => {
    if (this.#lost === undefined) this.#stream.write(encodeFrame(kind, channel, payload));
  };

  #receive(piece: Buffer): void {
    try {
      for (const { kind, channel, payload } of this.#decoder.push(piece)) {
        this.#heard++;
        if (channel === 0) throw farewell(payload);
        const found = this.#channels.get(channel);
        if (found?.receive(kind, payload) === true) this.#channels.delete(channel);
      }
    } catch (error) {
      this.#stream.destroy();
      this.#lose(error as Error);
    }
  }

  #lose(cause: Error | undefined): void {
    if (this.#lost !== undefined) return;
    this.#lost = new AleError({
      code: "sandbox-gone",
      message: `The link to the machine is lost${cause === undefined ? "" : `: ${cause.message}`}.`,
      ...(cause === undefined ? {} : { cause }),
    });
    for (const channel of this.#channels.values()) channel.lose(this.#lost);
    this.#channels.clear();
    this.#closed.resolve();
  }
}

/** What the program says when it ends of itself. */
function farewell(payload: Buffer): Error {
  const told = parseJson(payload.toString("utf8"));
  return new Error(`the program on the machine failed: ${textAt(told, "failed") ?? "it does not say why"}`);
}

/** The answer, or the error it tells. */
export function accepted(answer: Told): Told {
  if (answer["ok"] === true) return answer;
  throw new AleError({
    code: codes[String(answer["code"])] ?? "machine-server",
    message: `On the machine: ${String(answer["message"])}.`,
  });
}

const codes: Readonly<Record<string, string>> = { path: "sandbox-path", lease: "sandbox-gone" };
