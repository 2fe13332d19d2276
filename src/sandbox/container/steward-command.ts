import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { type CommandEnd, withMemoryKills } from "../command.ts";
import { CreditedInput, CreditedOutput } from "../forward/credited-streams.ts";
import { encodeList } from "./frame.ts";
import type { StewardLink } from "./steward-link.ts";

/** What runs, whole: nothing is added to the environment. */
export interface CommandRequest {
  readonly argv: readonly string[];
  readonly user: "agent" | "root";
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `undefined`: empty. `interactive`: written while it runs. */
  readonly input: Uint8Array | string | "interactive" | undefined;
}

export interface CommandOutcome {
  readonly end: CommandEnd;
  readonly wallMs: number;
}

/** Bytes of each output that may be under way or unread. */
const window = 256 * 1024;
const pieceBytes = 64 * 1024;
/** Some have two names; the usual one comes first. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** A command in a container, from its start to its end. */
export class StewardCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly bytes: [number, number] = [0, 0];
  /** Rejects only with `sandbox-gone`. */
  readonly ended: Promise<CommandOutcome>;
  readonly #link: StewardLink;
  readonly #clock: Clock;
  readonly #channel: number;
  readonly #outputs: readonly [CreditedOutput, CreditedOutput];
  readonly #input: CreditedInput;
  #forced: CommandEnd | undefined;
  #settled = false;

  /** @param endOfGone how a command is said to have ended whose container is no more; `undefined`: an error. */
  constructor(
    link: StewardLink,
    clock: Clock,
    request: CommandRequest,
    endOfGone: () => CommandEnd | undefined,
  ) {
    this.#link = link;
    this.#clock = clock;
    const output = (stream: number): CreditedOutput =>
      new CreditedOutput((bytes) => link.grant(this.#channel, stream, bytes));
    this.#outputs = [output(1), output(2)];
    [this.stdout, this.stderr] = this.#outputs;
    this.#input = new CreditedInput(
      window,
      (piece) => link.send("I", this.#channel, piece),
      () => link.send("E", this.#channel),
    );
    // A program need not read all its input.
    this.#input.on("error", () => undefined);
    this.stdin = this.#input;
    const began = clock.monotonic();
    let channel = 0;
    this.ended = new Promise((resolve, reject) => {
      const settle = (end: CommandEnd): void => {
        this.#settle();
        resolve({ end: this.#forced ?? end, wallMs: clock.monotonic() - began });
      };
      channel = link.open({
        frame: (type, payload) => this.#take(type, payload, settle),
        gone: () => {
          const end = endOfGone();
          if (end !== undefined) return settle(end);
          this.#settle();
          reject(new AleError({ code: "sandbox-gone", message: "The container ended while a command ran." }));
        },
      });
    });
    // Whoever awaits it sees the rejection; nobody has to.
    this.ended.catch(() => undefined);
    this.#channel = channel;
    this.#start(request);
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Ends it and all it started. `forced` is what the end is then said to be. */
  kill(forced?: CommandEnd): void {
    if (this.#settled) return;
    this.#forced ??= forced;
    this.#link.send("K", this.#channel);
  }

  /** Asks the command's process group to end. */
  terminate(): void {
    this.#link.send("T", this.#channel);
  }

  /** Applies a limit of time and a signal for as long as it runs. */
  watch(timeoutMs: number | undefined, signal: AbortSignal | undefined): void {
    const settled = new AbortController();
    const abort = (): void => this.kill({ kind: "aborted" });
    signal?.addEventListener("abort", abort, { once: true });
    if (timeoutMs !== undefined) {
      this.#clock.sleep(timeoutMs, settled.signal).then(
        () => this.kill({ kind: "timed-out", afterMs: timeoutMs }),
        () => undefined,
      );
    }
    const done = (): void => {
      settled.abort();
      signal?.removeEventListener("abort", abort);
    };
    this.ended.then(done, done);
  }

  #start(request: CommandRequest): void {
    const { input } = request;
    const kind = input === undefined ? "none" : input === "interactive" ? "interactive" : "given";
    const environment = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    const fields = [request.user, kind, request.cwd, request.argv.length, ...request.argv, ...environment];
    this.#link.send("X", this.#channel, encodeList(fields));
    for (const stream of [1, 2]) this.#link.grant(this.#channel, stream, window);
    if (input === undefined || input === "interactive") return;
    const bytes = Buffer.from(input);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      this.#link.send("I", this.#channel, bytes.subarray(at, at + pieceBytes));
    }
    this.#link.send("E", this.#channel);
  }

  #take(type: string, payload: Buffer, settle: (end: CommandEnd) => void): void {
    if (type === "O") {
      const stream = payload[0] === 1 ? 0 : 1;
      const text = payload.subarray(1);
      this.bytes[stream] += text.length;
      this.#outputs[stream].accept(text);
    } else if (type === "A") this.#input.credit(payload.readUInt32BE());
    else if (type === "Z") settle(endOf(payload.toString()));
  }

  #settle(): void {
    this.#settled = true;
    this.#link.closeChannel(this.#channel);
    for (const output of this.#outputs) output.finish();
    this.#input.stop();
    this.#input.destroy();
  }
}

/** `e<code>` or `k<signal>`, each with ` <kills for want of memory>`, or `n<why not>`. */
function endOf(text: string): CommandEnd {
  const rest = text.slice(1);
  const [number = 0, kills = 0] = rest.split(" ").map(Number);
  if (text.startsWith("e")) return withMemoryKills({ kind: "exited", code: number }, kills);
  if (text.startsWith("k")) {
    const signal = signalNames.get(number) ?? `signal ${number}`;
    return withMemoryKills({ kind: "signalled", signal }, kills);
  }
  return { kind: "not-started", message: rest };
}
