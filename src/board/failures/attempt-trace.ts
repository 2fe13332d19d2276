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

/** Names of tools that act on a screen or a browser: a word of the name says so. */
const screenTool =
  /(^|[^a-z])(desktop|computer|screen|screenshot|mouse|click|double_click|drag|scroll|keyboard|press_key|type_text|browser|playwright|navigate)([^a-z]|$)/i;

/** Whether a tool acts through a screen, rather than through a shell or files. */
export function isScreenTool(tool: string): boolean {
  return screenTool.test(tool);
}
