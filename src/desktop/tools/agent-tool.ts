import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. */
  | { readonly type: "image"; readonly mediaType: string; readonly data: string };

/** What a tool gave back; a failure is told to the model like anything else. */
export interface ToolOutcome {
  readonly content: readonly ToolContent[];
  readonly failed: boolean;
  /** The same facts as data, for programs. */
  readonly data?: { readonly [key: string]: JsonValue };
}

/** Something a model may do. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly schema: { readonly [key: string]: JsonValue };
  /**
   * Does it. Bad arguments and what goes wrong on the machine are an outcome; rejects with the signal's reason when
   * aborted, and with an `AleError` coded `sandbox-gone` when the machine is lost.
   */
  call(input: JsonValue, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  run(input: Input, signal: AbortSignal): Promise<ToolOutcome | string>;
}

/** A tool whose arguments are checked, and whose expected errors become outcomes. A string is a plain success. */
export function defineTool<Input>(definition: ToolDefinition<Input>): AgentTool {
  const { name, description, input: schema } = definition;
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  return {
    name,
    description,
    schema: shape as { readonly [key: string]: JsonValue },
    async call(given, signal) {
      const parsed = schema.safeParse(given);
      if (!parsed.success) return failure(`bad arguments: ${z.prettifyError(parsed.error)}`);
      try {
        const outcome = await definition.run(parsed.data, signal);
        return typeof outcome === "string" ? success(outcome) : outcome;
      } catch (error) {
        if (!AleError.isInstance(error) || error.code === "sandbox-gone") throw error;
        return failure(error.remedy === undefined ? error.message : `${error.message}; ${error.remedy}`);
      }
    },
  };
}

/** An outcome of one text. */
export function success(text: string, data?: ToolOutcome["data"]): ToolOutcome {
  return { content: [{ type: "text", text }], failed: false, ...(data === undefined ? {} : { data }) };
}

/** An outcome that says what went wrong. */
export function failure(text: string): ToolOutcome {
  return { content: [{ type: "text", text }], failed: true };
}
