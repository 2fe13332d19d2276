import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { SandboxProcess } from "../../sandbox/sandbox.ts";

export interface DriverAnswer {
  readonly head: { readonly [name: string]: JsonValue };
  readonly bytes: Buffer;
}

interface Waiting {
  resolve(answer: DriverAnswer): void;
  reject(error: unknown): void;
}

/** Asks the program beside the X server. One message each way per question; answers come in any order. */
export class DriverLink {
  readonly #running: SandboxProcess;
  readonly #waiting = new Map<number, Waiting>();
  #chunks: Buffer[] = [];
  #held = 0;
  #needed = 8;
  #lastId = 0;
  #gone: AleError | undefined;
  /** The program's first message, once it is ready. */
  readonly ready: Promise<DriverAnswer>;

  constructor(running: SandboxProcess) {
    this.#running = running;
    this.ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve, reject });
    });
    let complaint = "";
    running.stderr.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString("utf8")}`.slice(-2000);
    });
    running.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    // A write after the program's end fails; that it ended is told by `ended`.
    running.stdin.on("error", () => undefined);
    running.ended.then(({ end }) => this.#lose(end.kind === "not-started" ? end.message : complaint.trim()));
  }

  /** Rejects with `screen-gone` when the X server or the program is no more, else with the code the program gave. */
  ask(question: string, more: { readonly [name: string]: JsonValue } = {}): Promise<DriverAnswer> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    const id = ++this.#lastId;
    const json = Buffer.from(JSON.stringify({ id, ask: question, ...more }), "utf8");
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(4 + json.length, 0);
    lengths.writeUInt32LE(json.length, 4);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running.stdin.write(Buffer.concat([lengths, json]));
    });
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#needed) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      const length = 4 + all.readUInt32LE(0);
      if (all.length < length) {
        this.#needed = length;
        return;
      }
      const rest = all.subarray(length);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#held = rest.length;
      this.#needed = 8;
      this.#handle(all.subarray(0, length));
    }
  }

  #handle(message: Buffer): void {
    const jsonEnd = 8 + message.readUInt32LE(4);
    const head = JSON.parse(message.toString("utf8", 8, jsonEnd)) as DriverAnswer["head"] & {
      readonly id: number;
      readonly error?: { readonly code: string; readonly message: string };
    };
    const waiting = this.#waiting.get(head.id);
    this.#waiting.delete(head.id);
    if (head.error === undefined) waiting?.resolve({ head, bytes: message.subarray(jsonEnd) });
    else waiting?.reject(screenError(head.error.code, head.error.message));
  }

  #lose(reason: string): void {
    this.#gone = screenError("display-lost", reason === "" ? "its program has ended" : reason);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#gone);
    this.#waiting.clear();
  }
}

function screenError(code: string, message: string): AleError {
  if (code !== "display-lost") return new AleError({ code, message: `The screen: ${message}.` });
  return new AleError({ code: "screen-gone", message: `The display is gone: ${message}.` });
}
