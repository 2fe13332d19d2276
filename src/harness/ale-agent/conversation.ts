import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ToolContent } from "../../desktop/tools/agent-tool.ts";

/** What a tool gave back to one call. */
export interface CallResult {
  readonly id: string;
  readonly name: string;
  readonly content: readonly ToolContent[];
  readonly failed: boolean;
}

/** A piece of a conversation that is kept or dropped whole: calls and their results belong together. */
export type ConversationEntry =
  | { readonly kind: "user"; readonly text: string }
  | {
      readonly kind: "turn";
      readonly answer: Extract<LanguageModelV4Message, { role: "assistant" }>;
      readonly results: readonly CallResult[];
    };

/** What a model is sent of a conversation; the first entry is the task. */
export interface Conversation {
  readonly system: string;
  readonly entries: readonly ConversationEntry[];
}

/** Characters that make a token, on the small side so that an estimate is rather too high. */
const charactersPerToken = 3.5;
/** About what providers count for a screenshot. */
const tokensPerImage = 1600;

/** A rough count of tokens, images at most `keepImages`. */
export function estimateTokens(entries: readonly ConversationEntry[], keepImages: number): number {
  let characters = 0;
  let images = 0;
  for (const entry of entries) {
    if (entry.kind === "user") characters += entry.text.length;
    else {
      for (const part of entry.answer.content) {
        characters +=
          "text" in part ? part.text.length : JSON.stringify("input" in part ? part.input : "").length;
      }
      for (const part of entry.results.flatMap((result) => result.content)) {
        if (part.type === "text") characters += part.text.length;
        else images += 1;
      }
    }
  }
  return Math.ceil(characters / charactersPerToken) + Math.min(images, keepImages) * tokensPerImage;
}
