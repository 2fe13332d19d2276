import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex, type Readable, type Writable } from "node:stream";
import { type WinePrefix, wine } from "./wine-prefixes.ts";

/** A program that runs in a Wine, and its standard input and output. */
export class WineProgram implements AsyncDisposable {
  readonly stream: Duplex;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    this.stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
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
    const child = spawn(program, line, { env: prefix.env, stdio: ["pipe", "pipe", "pipe"] });
    // It would only fill up.
    child.stderr.resume();
    return new WineProgram(child);
  }

  /** Resolves when it has ended, which its input's end or `kill` has it do. */
  async ended(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) await once(this.#child, "exit");
  }

  /** Kills it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended();
  }
}
