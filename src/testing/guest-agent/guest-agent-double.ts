import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";

export interface GuestAgentProgram {
  readonly path: string;
  readonly arguments: readonly string[];
  readonly input: Buffer;
}

export interface GuestAgentEnd {
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

export interface GuestAgentDoubleOptions {
  /** What becomes of a program; called once each. */
  readonly run: (program: GuestAgentProgram) => GuestAgentEnd;
  /** Questions for which the program is still said to run, default 1. */
  readonly polls?: number;
  /** Greetings that go unanswered, as before the guest has booted. */
  readonly silent?: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** A public double of QEMU's guest agent: its serial port, to be given to a client; files are kept in memory. */
export class GuestAgentDouble extends Duplex {
  readonly files: Map<string, Buffer> = new Map();
  readonly programs: GuestAgentProgram[] = [];
  readonly #options: GuestAgentDoubleOptions;
  readonly #running: Map<number, { readonly end: GuestAgentEnd; polls: number }> = new Map();
  readonly #open: Map<number, { readonly path: string; at: number; readonly writing: boolean }> = new Map();
  #silent: number;
  #next = 100;
  #text = "";

  constructor(options: GuestAgentDoubleOptions) {
    super();
    this.#options = options;
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
    const file = (): { readonly path: string; at: number; readonly writing: boolean } => {
      const found = this.#open.get(Number(given["handle"]));
      if (found === undefined) throw new RangeError(`handle '${String(given["handle"])}' has not been found`);
      return found;
    };
    switch (command) {
      case "guest-sync":
        return given["id"];
      case "guest-ping":
        return {};
      case "guest-exec":
        return { pid: this.#start(given) };
      case "guest-exec-status":
        return this.#status(Number(given["pid"]));
      case "guest-file-open": {
        const path = String(given["path"]);
        const writing = given["mode"] === "wb";
        if (writing) this.files.set(path, Buffer.alloc(0));
        else if (!this.files.has(path)) throw new RangeError(`failed to open file '${path}': No such file`);
        this.#open.set(this.#next, { path, at: 0, writing });
        return this.#next++;
      }
      case "guest-file-read": {
        const handle = file();
        const content = this.files.get(handle.path) ?? Buffer.alloc(0);
        const piece = content.subarray(handle.at, handle.at + Number(given["count"]));
        handle.at += piece.length;
        return { count: piece.length, "buf-b64": piece.toString("base64"), eof: handle.at >= content.length };
      }
      case "guest-file-write": {
        const { path } = file();
        const piece = Buffer.from(String(given["buf-b64"]), "base64");
        this.files.set(path, Buffer.concat([this.files.get(path) ?? Buffer.alloc(0), piece]));
        return { count: piece.length, eof: false };
      }
      case "guest-file-close":
        this.#open.delete(Number(given["handle"]));
        return {};
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
    const pid = this.#next++;
    this.#running.set(pid, { end: this.#options.run(program), polls: this.#options.polls ?? 1 });
    return pid;
  }

  #status(pid: number): unknown {
    const running = this.#running.get(pid);
    if (running === undefined) throw new RangeError(`PID ${pid} does not exist`);
    if (running.polls-- > 0) return { exited: false };
    this.#running.delete(pid);
    const { code, stdout = "", stderr = "" } = running.end;
    const data = (text: string): string => Buffer.from(text).toString("base64");
    return { exited: true, exitcode: code, "out-data": data(stdout), "err-data": data(stderr) };
  }
}
