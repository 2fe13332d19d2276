import type { JsonValue } from "../../contract/json-value.ts";
import type { Usage } from "../../contract/usage.ts";
import type { StreamEvent } from "./stream-event.ts";
import type { StreamEnding } from "./stream-reader.ts";

/** What a reader of one harness notes down while it reads; it belongs to one stream. */
export interface StreamState {
  sessionId?: string;
  version?: string;
  readonly models: Set<string>;
  /** Sum or total so far, as the harness claims. */
  usage?: Usage;
  costUsd?: number;
  /** The final message where the stream names it; otherwise the last text. */
  finalMessage?: string;
  /** How it ended, once the stream has said so. A later word stands. */
  ending?: StreamEnding;
  /** A failure that the harness is still trying to get over. */
  trouble?: Extract<StreamEnding, { readonly kind: "error" }>;
}

/** The part of a reader that knows one harness's events. */
export interface StreamDialect {
  /** Says what an event tells, and notes in the state what it tells of the whole. */
  take(event: JsonValue, state: StreamState): readonly StreamEvent[];
  /** For a harness that exits without a last word: whether leaving with 0 is its way of being done. */
  readonly silentEnd?: (state: StreamState) => boolean;
  /** For harnesses without events, a line of plain text. */
  readonly text?: (line: string) => readonly StreamEvent[];
  /** True for a line that is not worth parsing: a repetition of what comes whole later. */
  readonly skips?: (line: string) => boolean;
}

/** The first session named stands. */
export function noteSession(state: StreamState, id: string | undefined): void {
  if (state.sessionId === undefined && id !== undefined) state.sessionId = id;
}
