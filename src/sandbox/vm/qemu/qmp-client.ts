import type { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { AleError } from "../../../contract/ale-error.ts";
import { fieldAt, numberAt, parseJson, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";

/** An event of QEMU's, such as `STOP` or `DEVICE_DELETED`. */
export interface QmpEvent {
  readonly name: string;
  readonly data: JsonValue;
}

/** A connection to QEMU's monitor, in its machine protocol: one JSON object a line, answers by number. */
export class QmpClient {
  readonly #socket: Socket;
  readonly #waiting: Map<number, PromiseWithResolvers<JsonValue>> = new Map();
  readonly #listeners: Set<(event: QmpEvent) => void> = new Set();
  readonly #greeted: PromiseWithResolvers<void> = Promise.withResolvers();
  #text = "";
  #next = 1;
  #lost: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (piece: Buffer | string) => this.#receive(String(piece)));
    socket.on("error", (error) => this.#lose(error));
    socket.on("close", () => this.#lose(undefined));
  }

  /** Connects to the monitor's unix socket and makes it take commands. */
  static async connect(path: string): Promise<QmpClient> {
    const client = new QmpClient(connect({ path }));
    await client.#greeted.promise;
    await client.run("qmp_capabilities");
    return client;
  }

  /** Runs a command. Rejects with `qemu-command` where QEMU refuses it, `sandbox-gone` where it has ended. */
  async run(command: string, parameters: Readonly<Record<string, JsonValue>> = {}): Promise<JsonValue> {
    if (this.#lost !== undefined) throw this.#lost;
    const id = this.#next++;
    const answer = Promise.withResolvers<JsonValue>();
    this.#waiting.set(id, answer);
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: parameters, id })}\n`);
    return answer.promise;
  }

  /** Resolves with the first event for which the test holds, from now on. Rejects when QEMU ends. */
  event(test: (event: QmpEvent) => boolean): Promise<QmpEvent> {
    const found = Promise.withResolvers<QmpEvent>();
    const listener = (event: QmpEvent): void => {
      if (event.name !== "" && !test(event)) return;
      this.#listeners.delete(listener);
      if (event.name === "") found.reject(this.#lost);
      else found.resolve(event);
    };
    if (this.#lost === undefined) this.#listeners.add(listener);
    else found.reject(this.#lost);
    return found.promise;
  }

  close(): void {
    this.#socket.destroy();
    this.#lose(undefined);
  }

  #receive(piece: string): void {
    this.#text += piece;
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.#take(parseJson(line));
  }

  #take(told: JsonValue | undefined): void {
    if (fieldAt(told, "QMP") !== undefined) this.#greeted.resolve();
    const name = textAt(told, "event");
    if (name !== undefined) {
      for (const listener of [...this.#listeners]) listener({ name, data: fieldAt(told, "data") ?? null });
      return;
    }
    const id = numberAt(told, "id");
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || answer === undefined) return;
    this.#waiting.delete(id);
    const refusal = textAt(told, "error", "desc");
    if (refusal === undefined) answer.resolve(fieldAt(told, "return") ?? null);
    else answer.reject(new AleError({ code: "qemu-command", message: `QEMU refuses: ${refusal}` }));
  }

  #lose(cause: Error | undefined): void {
    if (this.#lost !== undefined) return;
    this.#lost = new AleError({
      code: "sandbox-gone",
      message: "The virtual machine has ended.",
      ...(cause === undefined ? {} : { cause }),
    });
    this.#greeted.reject(this.#lost);
    this.#greeted.promise.catch(() => undefined);
    for (const answer of this.#waiting.values()) answer.reject(this.#lost);
    this.#waiting.clear();
    for (const listener of [...this.#listeners]) listener({ name: "", data: null });
  }
}
