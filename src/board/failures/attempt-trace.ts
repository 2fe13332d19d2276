import type { Maybe } from "../../contract/absence.ts";

/** One tool call of an agent. */
export interface TraceAction {
  /** Where it stands: `step 4`. */
  readonly place: string;
  readonly tool: string;
  /** Its arguments, as JSON text. */
  readonly input: string;
  /** What came back, as text. */
  readonly output: string;
  readonly failed: Maybe<boolean>;
}

/** What an agent did, as far as its record tells. */
export type AttemptTrace =
  | {
      readonly kind: "trace";
      readonly actions: readonly TraceAction[];
      /** What the agent said, in order. */
      readonly messages: readonly { readonly place: string; readonly text: string }[];
      /** Where its context was compacted or started anew. */
      readonly compactions: readonly string[];
    }
  | { readonly kind: "none"; readonly reason: string };
