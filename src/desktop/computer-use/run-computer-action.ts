import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { ActionOutcome } from "../screen-actions/perform-action.ts";
import type { ScreenBridge } from "../screen-actions/screen-bridge.ts";
import { anthropicActionSchema } from "./anthropic-action.ts";
import { openaiActionSchema } from "./openai-action.ts";

/** Whose computer tool speaks. */
export type ComputerDialect = "anthropic" | "openai";

const schemas = { anthropic: anthropicActionSchema, openai: openaiActionSchema };

/** What became of it. */
export type ComputerOutcome =
  | { readonly state: "done"; readonly outcome: ActionOutcome }
  /** To be told to the model: the action is none, or the screen refused it. */
  | { readonly state: "failed"; readonly message: string };

/**
 * Takes an action of a model's native computer tool. The bridge's places must be pixels, and its `space.size` what the
 * tool was declared with. Every OpenAI action is answered with a screenshot, as that tool asks.
 * Rejects with `screen-gone` when the screen is lost.
 */
export async function runComputerAction(
  bridge: ScreenBridge,
  dialect: ComputerDialect,
  input: JsonValue,
  signal: AbortSignal,
): Promise<ComputerOutcome> {
  const parsed = schemas[dialect].safeParse(input);
  if (!parsed.success) {
    return { state: "failed", message: `not an action of this tool: ${z.prettifyError(parsed.error)}` };
  }
  try {
    const outcome = await bridge.run(parsed.data, signal);
    if (dialect === "anthropic" || outcome.screenshot !== undefined) return { state: "done", outcome };
    const shown = await bridge.run({ kind: "screenshot" }, signal);
    return { state: "done", outcome: { ...shown, text: outcome.text } };
  } catch (error) {
    if (!AleError.isInstance(error) || error.code === "screen-gone") throw error;
    return { state: "failed", message: error.message };
  }
}
