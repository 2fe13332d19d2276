import { AleError } from "../../contract/ale-error.ts";
import { type Engine, reason } from "./engine.ts";

/** Lets a machine without network use the daemon's bridge, for as long as somebody asks for it. */
export class HostNetwork {
  readonly #engine: Engine;
  readonly #containerId: string;
  #users = 0;
  #change: Promise<void> = Promise.resolve();

  constructor(engine: Engine, containerId: string) {
    this.#engine = engine;
    this.#containerId = containerId;
  }

  /** Runs the action with the network. Rejects with `sandbox-network` where the daemon has none to lend. */
  async during<T>(action: () => Promise<T>): Promise<T> {
    await this.join();
    try {
      return await action();
    } finally {
      await this.leave();
    }
  }

  async join(): Promise<void> {
    if (++this.#users > 1) return this.#change;
    this.#change = this.#change.then(() => this.#move("none", "bridge"));
    try {
      await this.#change;
    } catch (error) {
      this.#users--;
      this.#change = Promise.resolve();
      throw new AleError({
        code: "sandbox-network",
        message: `The container could not be given the network for a trusted command: ${reason(error)}`,
        remedy: "Give the daemon a bridge, or make the machine with an open network.",
        cause: error,
      });
    }
  }

  async leave(): Promise<void> {
    if (--this.#users > 0) return;
    this.#change = this.#change.then(() => this.#move("bridge", "none"));
    await this.#change;
  }

  async #move(from: string, to: string): Promise<void> {
    const { docker } = this.#engine;
    const Container = this.#containerId;
    await docker.getNetwork(from).disconnect({ Container, Force: true });
    await docker.getNetwork(to).connect({ Container });
  }
}
