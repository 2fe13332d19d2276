import type { Maybe } from "../../contract/absence.ts";
import type { Usage } from "../../contract/usage.ts";
import type { StreamEvent } from "./stream-event.ts";

/** How the harness's process ended. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** By a signal, ours at a limit or another's. */
  | { readonly kind: "killed"; readonly reason: string };

export type StreamErrorKind =
  | "auth"
  | "rate-limit"
  | "server"
  | "budget"
  | "turn-limit"
  | "refusal"
  /** Ended from outside before it came to its end. */
  | "killed"
  /** It ended by itself, but its stream does not say how, or says nothing that can be read. */
  | "garbage"
  /** The harness says that it failed, for a cause of no other kind. */
  | "other";

/** How the stream and the exit together say that the work ended. */
export type StreamEnding =
  | { readonly kind: "completed" }
  | { readonly kind: "error"; readonly error: StreamErrorKind; readonly message: string };

/** What a harness's stream says of the whole; its figures are claims, to be held against the gateway's. */
export interface StreamFacts {
  readonly ending: StreamEnding;
  readonly usage: Maybe<Usage>;
  readonly costUsd: Maybe<number>;
  readonly finalMessage: Maybe<string>;
  /** Names of models seen, in order of first sight. */
  readonly models: readonly string[];
  readonly sessionId: Maybe<string>;
  /** Version of the program, where its stream tells. */
  readonly version: Maybe<string>;
  readonly toolCalls: number;
  readonly images: number;
  readonly imagesLeftOut: number;
  /** Lines that are not an event. */
  readonly noise: { readonly lines: number; readonly bytes: number };
}

/** Reads the standard output of a harness, line by line. No line makes it throw. */
export interface StreamReader {
  /** Takes a line without its end; says what it tells. */
  read(line: string): readonly StreamEvent[];
  /** After the last line. */
  conclude(end: ProcessEnd): StreamFacts;
}
