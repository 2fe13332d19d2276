import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { fieldAt, numberAt, parseJson, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";

/** A program of the guest's to be started. */
export interface GuestProgram {
  readonly path: string;
  readonly arguments: readonly string[];
  readonly input?: Uint8Array;
}

const any = (): boolean => true;

/**
 * QEMU's guest agent over its serial port: one JSON object a line, one answer to each, in order.
 */
export class GuestAgentClient {
  readonly #port: Duplex;
  readonly #clock: Clock;
  #waiting: PromiseWithResolvers<JsonValue> | undefined;
  /** Which answers count; the others are to what an earlier host has asked. */
  #expected: (told: JsonValue) => boolean = any;
  #queue: Promise<unknown> = Promise.resolve();
  #text = "";
  #lost: Error | undefined;

  constructor(port: Duplex, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
    port.on("data", (piece: Buffer) => this.#receive(piece.toString("latin1")));
    port.on("error", (error) => this.#lose(error));
    port.on("close", () => this.#lose(undefined));
  }

  /**
   * Asks until the agent answers, which it does not before the guest has booted; what an earlier host was told is
   * dropped. Rejects with `guest-silent` after the limit.
   */
  async greet(limitMs: number, signal?: AbortSignal): Promise<void> {
    const end = this.#clock.monotonic() + limitMs;
    for (let number = 1; this.#clock.monotonic() < end; number++) {
      signal?.throwIfAborted();
      // The byte 0xFF makes the agent's parser forget what it has of an unfinished line, and complain of it.
      this.#port.write(Buffer.from([0xff]));
      const answer = this.#ask("guest-sync", { id: number }, 2000, (told) => told === number);
      if ((await answer.catch(() => undefined)) === number) return;
      if (this.#lost !== undefined) throw this.#lost;
    }
    throw new AleError({
      code: "guest-silent",
      message: `The guest agent has not answered within ${Math.round(limitMs / 1000)} s.`,
      remedy: "Look at the guest's console in serial.log beside its disk; give slow hosts more time.",
    });
  }

  /** Sends a command and gives what it returns. Rejects with `guest-command` where the guest refuses. */
  command(command: string, parameters: Readonly<Record<string, JsonValue>> = {}): Promise<JsonValue> {
    return this.#ask(command, parameters, 60_000);
  }

  /** Starts a program, which is then left to itself, and gives its number in the guest. */
  async start({ path, arguments: words, input }: GuestProgram): Promise<number> {
    const told = await this.command("guest-exec", {
      path,
      arg: [...words],
      "capture-output": false,
      ...(input === undefined ? {} : { "input-data": Buffer.from(input).toString("base64") }),
    });
    return numberAt(told, "pid") ?? 0;
  }

  close(): void {
    this.#port.destroy();
    this.#lose(undefined);
  }

  #ask(
    command: string,
    parameters: Readonly<Record<string, JsonValue>>,
    limitMs: number,
    expected: (told: JsonValue) => boolean = any,
  ): Promise<JsonValue> {
    const asked = this.#queue.then(() => {
      this.#expected = expected;
      return this.#exchange(command, parameters, limitMs);
    });
    this.#queue = asked.catch(() => undefined);
    return asked;
  }

  async #exchange(
    command: string,
    parameters: Readonly<Record<string, JsonValue>>,
    limitMs: number,
  ): Promise<JsonValue> {
    if (this.#lost !== undefined) throw this.#lost;
    const answer = Promise.withResolvers<JsonValue>();
    this.#waiting = answer;
    const over = new AbortController();
    const late = this.#clock.sleep(limitMs, over.signal).then(
      () => answer.reject(new AleError({ code: "guest-silent", message: `No answer to ${command}.` })),
      () => undefined,
    );
    this.#port.write(`${JSON.stringify({ execute: command, arguments: parameters })}\n`);
    try {
      return await answer.promise;
    } finally {
      this.#waiting = undefined;
      over.abort();
      await late;
    }
  }

  #receive(piece: string): void {
    this.#text += piece;
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) {
      const told = parseJson(Buffer.from(line.replaceAll("\xff", ""), "latin1").toString("utf8"));
      const refusal = textAt(told, "error", "desc");
      if (told === undefined) continue;
      const answer = fieldAt(told, "return") ?? null;
      if (this.#expected !== any && (refusal !== undefined || !this.#expected(answer))) continue;
      if (refusal !== undefined) {
        const message = `The guest refuses: ${refusal}`;
        this.#waiting?.reject(new AleError({ code: "guest-command", message }));
      } else this.#waiting?.resolve(answer);
    }
  }

  #lose(cause: Error | undefined): void {
    if (this.#lost !== undefined) return;
    this.#lost = new AleError({
      code: "sandbox-gone",
      message: "The guest agent's port is closed: the virtual machine has ended.",
      ...(cause === undefined ? {} : { cause }),
    });
    this.#waiting?.reject(this.#lost);
  }
}
