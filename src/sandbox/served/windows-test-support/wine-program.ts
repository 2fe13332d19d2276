import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex, type Readable, type Writable } from "node:stream";
import { type WinePrefix, wine } from "./wine-prefixes.ts";

/** A program that runs in a Wine, and its standard input and output. */
export class WineProgram implements AsyncDisposable {
  readonly stream: Duplex;
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;

  private constructor(process: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#process = process;
    this.stream = Duplex.from({ readable: process.stdout, writable: process.stdin });
    // It may be gone before all has been said.
    this.stream.on("error", () => undefined);
  }

  /**
   * Starts the program at `path` of this host.
   * @param passwd a file by which this host's user has another name, which is then that of Wine's one account.
   */
  static start(prefix: WinePrefix, path: string, words: readonly string[], passwd?: string): WineProgram {
    const renamed = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", String(passwd), "/etc/passwd"];
    const [program = wine, ...line] = [...(passwd === undefined ? [] : renamed), wine, path, ...words];
    const process = spawn(program, line, { env: prefix.env, stdio: ["pipe", "pipe", "pipe"] });
    // It would only fill up.
    process.stderr.resume();
    return new WineProgram(process);
  }

  /** Resolves when it has ended, which its input's end or `kill` has it do. */
  async ended(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) await once(this.#process, "exit");
  }

  /** Kills it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.ended();
  }
}
