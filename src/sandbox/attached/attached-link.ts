import type { Clock } from "../../contract/clock.ts";
import { MachineClient, type MachineRequest } from "../served/machine-client.ts";
import { watchMachine } from "../served/watch-machine.ts";
import type { MachineTransport } from "./attached-machine.ts";

const tries = 5;

/**
 * A link that is mended: after a loss the next asker gets a new one, on which the machine is told again whose it is. What
 * was under way on the old one has failed by then, and is not repeated.
 */
export class AttachedLink {
  readonly #transport: MachineTransport;
  readonly #clock: Clock;
  readonly #greetings: readonly MachineRequest[];
  #client: Promise<MachineClient> | undefined;
  #current: MachineClient | undefined;

  /** @param greetings what is asked of the machine at the start of every link after the first. */
  constructor(
    transport: MachineTransport,
    clock: Clock,
    first: MachineClient,
    greetings: readonly MachineRequest[],
  ) {
    this.#transport = transport;
    this.#clock = clock;
    this.#greetings = greetings;
    this.#current = first;
    this.#watch(first);
  }

  async client(): Promise<MachineClient> {
    if (this.#current?.lost === false) return this.#current;
    this.#client ??= this.#mend().finally(() => {
      this.#client = undefined;
    });
    return this.#client;
  }

  close(): void {
    this.#current?.close();
  }

  /** A line that is cut may look as if nothing were said on it. */
  #watch(client: MachineClient): void {
    void watchMachine(client, this.#clock, () =>
      client.close("the machine has not answered for two minutes"),
    );
  }

  async #mend(): Promise<MachineClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await MachineClient.open(await this.#transport.link());
        for (const greeting of this.#greetings) await client.request(greeting);
        this.#current = client;
        this.#watch(client);
        return client;
      } catch (error) {
        if (attempt === tries) throw error;
        await this.#clock.sleep(500 * 2 ** attempt);
      }
    }
  }
}
