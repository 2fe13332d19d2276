import { MachineClient } from "../../machine-client.ts";
import type { WinePrefix } from "./wine-prefixes.ts";
import { WineProgram } from "./wine-program.ts";

/** The program that serves Windows machines, running in Wine, and the link to it. */
export class WindowsMachine implements AsyncDisposable {
  readonly client: MachineClient;
  readonly #program: WineProgram;

  private constructor(client: MachineClient, program: WineProgram) {
    this.client = client;
    this.#program = program;
  }

  /** Starts the program at `path` of this host over its standard input and output. */
  static async start(prefix: WinePrefix, path: string): Promise<WindowsMachine> {
    const program = WineProgram.start(prefix, path, ["--same-user"]);
    return new WindowsMachine(await MachineClient.open(program.stream), program);
  }

  /** Ends the program by ending its input. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close();
    await this.#program.ended();
  }
}
