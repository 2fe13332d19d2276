import type { JsonValue } from "../../contract/json-value.ts";
import type { StepMetrics } from "../../contract/trajectory-step.ts";

/** A part of a message before its images are files. */
export type DraftPart =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "image"; readonly mediaType: string; readonly data: string };

/** Where something the agent did belongs. */
interface Place {
  /** Things of one group are of one step: an id of the model's message, say. Without it the order decides. */
  readonly group?: string;
  readonly model?: string;
  /** The tool call by which the sub-agent was started that did it. */
  readonly subagent?: string;
}

/** What a line of a harness's stream says, in one vocabulary for all harnesses. */
export type StreamEvent =
  | { readonly kind: "message"; readonly source: "user" | "system"; readonly content: readonly DraftPart[] }
  /** `delta` continues the text before it; otherwise it is a text of its own. */
  | (Place & { readonly kind: "text"; readonly text: string; readonly delta?: boolean })
  | (Place & { readonly kind: "reasoning"; readonly text: string; readonly delta?: boolean })
  | (Place & {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonValue;
    })
  | {
      readonly kind: "result";
      /** Id of the call. */
      readonly call: string;
      readonly content: readonly DraftPart[];
      readonly failed?: boolean;
      readonly exitCode?: number;
      /** Images that the harness showed the model but left out of its stream. */
      readonly imagesLeftOut?: number;
    }
  | (Place & { readonly kind: "metrics"; readonly metrics: StepMetrics })
  /** Kept under `extra.ale.events`: known or not, it has no place in a step. */
  | { readonly kind: "other"; readonly event: JsonValue };
