import { connect } from "node:net";
import type { InsideConnection } from "./inside-connection.ts";

/** The connections of one forwarded port: each is joined to one to the host's socket. */
export class CarriedConnections {
  readonly #hostSocket: string;
  readonly #ends: Set<() => void> = new Set();

  constructor(hostSocket: string) {
    this.#hostSocket = hostSocket;
  }

  /** Carries a connection until both sides have said all, or either breaks off. */
  carry(inside: InsideConnection): void {
    const outside = connect({ path: this.#hostSocket, allowHalfOpen: true });
    const end = (): void => {
      if (!this.#ends.delete(end)) return;
      outside.destroy();
      inside.close();
    };
    this.#ends.add(end);
    // Over here does not mean that all has been read there, nor the other way round.
    let halves = 2;
    const halfEnded = (clean: boolean): void => {
      if (!clean || --halves === 0) end();
    };
    outside.on("error", end);
    outside.once("close", () => halfEnded(outside.readableEnded && outside.writableFinished));
    inside.input.on("error", end);
    inside.over.then((how) => halfEnded(how === "ended"), end);
    inside.output.pipe(outside);
    outside.pipe(inside.input);
  }

  /** Breaks all of them off. */
  close(): void {
    for (const end of [...this.#ends]) end();
  }
}
