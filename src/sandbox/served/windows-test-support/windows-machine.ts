import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex, type Readable, type Writable } from "node:stream";
import { MachineClient } from "../machine-client.ts";
import { type WinePrefix, wine } from "./wine-prefixes.ts";

/** The program that serves Windows machines, running in Wine, and the link to it. */
export class WindowsMachine implements AsyncDisposable {
  readonly client: MachineClient;
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;

  private constructor(client: MachineClient, process: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.client = client;
    this.#process = process;
  }

  /** Starts the program at `path` of this host over its standard input and output. */
  static async start(prefix: WinePrefix, path: string): Promise<WindowsMachine> {
    const process = spawn(wine, [path, "--same-user"], { env: prefix.env, stdio: ["pipe", "pipe", "pipe"] });
    // What it says goes to the host by the link; this would only fill up.
    process.stderr.resume();
    const stream = Duplex.from({ readable: process.stdout, writable: process.stdin });
    return new WindowsMachine(await MachineClient.open(stream), process);
  }

  /** Ends the program by ending its input. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    const ended = exitCode !== null || signalCode !== null ? undefined : once(this.#process, "exit");
    this.client.close();
    await ended;
  }
}
