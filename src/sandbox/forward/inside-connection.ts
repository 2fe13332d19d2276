import type { Readable, Writable } from "node:stream";

/** The machine's end of a connection to a forwarded port. */
export interface InsideConnection {
  /** What the program inside is to read; ended when nothing more comes. */
  readonly input: Writable;
  /** What the program inside writes. */
  readonly output: Readable;
  /** Resolves when the machine is done with it: all was said and read both ways, or it was broken off. */
  readonly over: Promise<"ended" | "broken">;
  /** Lets go of it, breaking it off where it is not over. */
  close(): void;
}
