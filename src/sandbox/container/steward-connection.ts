import { CreditedInput, CreditedOutput } from "../forward/credited-streams.ts";
import type { InsideConnection } from "../forward/inside-connection.ts";
import type { StewardLink } from "./steward-link.ts";

/** Bytes that may be under way or unread each way: what 256 peers that never read can make the steward hold is 16 MiB. */
const window = 64 * 1024;

/** A connection to a forwarded port, which the steward has let in. */
export class StewardConnection implements InsideConnection {
  readonly input: CreditedInput;
  readonly output: CreditedOutput;
  readonly over: InsideConnection["over"];
  readonly #link: StewardLink;
  readonly #channel: number;

  constructor(link: StewardLink, channel: number) {
    this.#link = link;
    this.#channel = channel;
    this.input = new CreditedInput(
      window,
      (piece) => link.send("I", channel, piece),
      () => link.send("E", channel),
    );
    this.output = new CreditedOutput((bytes) => link.grant(channel, 1, bytes));
    this.over = new Promise((resolve) => {
      link.adopt(channel, {
        frame: (type, payload) => this.#take(type, payload, resolve),
        gone: () => resolve("broken"),
      });
    });
    link.grant(channel, 1, window);
  }

  close(): void {
    this.#link.send("D", this.#channel);
    this.#link.closeChannel(this.#channel);
    this.input.stop();
    this.output.finish();
  }

  #take(type: string, payload: Buffer, over: (how: "ended" | "broken") => void): void {
    if (type === "O") this.output.accept(payload.subarray(1));
    else if (type === "A") this.input.credit(payload.readUInt32BE());
    else if (type === "N") this.output.finish();
    else if (type === "Z") over(payload.toString() === "ended" ? "ended" : "broken");
  }
}
