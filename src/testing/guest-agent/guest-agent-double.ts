import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";

export interface GuestAgentProgram {
  readonly path: string;
  readonly arguments: readonly string[];
  readonly input: Buffer;
}

export interface GuestAgentDoubleOptions {
  /** Greetings that go unanswered, as before the guest has booted. */
  readonly silent?: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** A public double of QEMU's guest agent: its serial port, to be given to a client; what it is to start is noted. */
export class GuestAgentDouble extends Duplex {
  readonly programs: GuestAgentProgram[] = [];
  #silent: number;
  #next = 100;
  #text = "";

  constructor(options: GuestAgentDoubleOptions = {}) {
    super();
    this.#silent = options.silent ?? 0;
  }

  override _read(): void {
    // Answers are pushed as they are made.
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#text += piece.toString("latin1");
    const lines = this.#text.split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
    done();
  }

  #line(line: string): void {
    if (line.includes("\xff"))
      this.#say({ error: { class: "GenericError", desc: "JSON parse error, stray" } });
    const { execute, arguments: given = {} } = JSON.parse(
      Buffer.from(line.replaceAll("\xff", ""), "latin1").toString("utf8"),
    ) as { execute: string; arguments?: Arguments };
    if (execute === "guest-sync" && this.#silent-- > 0) return;
    try {
      this.#say({ return: this.#answer(execute, given) });
    } catch (error) {
      this.#say({ error: { class: "GenericError", desc: (error as Error).message } });
    }
  }

  #say(told: unknown): void {
    this.push(`${JSON.stringify(told)}\n`);
  }

  #answer(command: string, given: Arguments): unknown {
    switch (command) {
      case "guest-sync":
        return given["id"];
      case "guest-ping":
        return {};
      case "guest-exec":
        return { pid: this.#start(given) };
      default:
        throw new RangeError(`The command ${command} has not been found`);
    }
  }

  #start(given: Arguments): number {
    const program = {
      path: String(given["path"]),
      arguments: (given["arg"] as readonly string[] | undefined) ?? [],
      input: Buffer.from(String(given["input-data"] ?? ""), "base64"),
    };
    this.programs.push(program);
    return this.#next++;
  }
}
