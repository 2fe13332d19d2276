import { z } from "zod";

/** Something that goes wrong in place of an answer. */
export type ScriptFault = {
  /** Before the command of this number, 0 for the first; as many as there are commands = before the last words. */
  readonly before: number;
  /** How often, over all conversations of this rule. */
  readonly times: number;
} & (
  | { readonly kind: "error"; readonly status: number; readonly retry_after_seconds?: number }
  | { readonly kind: "refusal"; readonly text: string }
  /** The answer breaks off after so many events of its stream. */
  | { readonly kind: "cut"; readonly after: number }
  | { readonly kind: "malformed" | "hang" | "drop" }
);

/** What the scripted model does in one kind of conversation. */
export interface ScriptRule {
  /** Regular expression on all that the user said; absent = any conversation. */
  readonly when?: string;
  /** Run one after another in whatever shell tool the harness has; `{{name}}` is the group of that name in `when`. */
  readonly commands: readonly string[];
  /** Regular expression on what the last command gave back: whether the work is done. Absent = it is. */
  readonly done_when?: string;
  /** Said at the end when the work is done. */
  readonly last_words: string;
  /** Said at the end when it is not. */
  readonly failed_words?: string;
  /** Tokens that each answer says it took. */
  readonly usage: {
    readonly input?: number;
    readonly cached?: number;
    readonly output?: number;
    readonly reasoning?: number;
  };
  readonly faults: readonly ScriptFault[];
}

/** A script for the scripted model, `ale/script@1`. The first rule that fits a conversation is used. */
export interface ScriptFile {
  readonly schema: "ale/script@1";
  readonly rules: readonly ScriptRule[];
}

const expression = z.string().refine(
  (text) => {
    try {
      new RegExp(text);
      return true;
    } catch {
      return false;
    }
  },
  { error: "must be a regular expression" },
);
const tokens = z.int().nonnegative().exactOptional();
const place = {
  before: z.int().nonnegative().default(0).describe("Number of the command it comes before, from 0."),
  times: z.int().positive().default(1).describe("How often, over all conversations."),
};

const faultSchema: z.ZodType<ScriptFault> = z.discriminatedUnion("kind", [
  z.strictObject({
    ...place,
    kind: z.literal("error"),
    status: z.int().min(400).max(599),
    retry_after_seconds: z.number().nonnegative().exactOptional(),
  }),
  z.strictObject({ ...place, kind: z.literal("refusal"), text: z.string() }),
  z.strictObject({ ...place, kind: z.literal("cut"), after: z.int().nonnegative() }),
  z.strictObject({ ...place, kind: z.enum(["malformed", "hang", "drop"]) }),
]);

export const scriptFileSchema: z.ZodType<ScriptFile> = z.strictObject({
  schema: z.literal("ale/script@1").describe("The format of this file."),
  rules: z
    .array(
      z.strictObject({
        when: expression.exactOptional().describe("Regular expression on all that the user said."),
        commands: z
          .array(z.string().min(1))
          .default([])
          .describe("Run in order, in the harness's shell; {{name}} is a named group of when."),
        done_when: expression
          .exactOptional()
          .describe("Regular expression on the last command's output: whether the work is done."),
        last_words: z.string().describe("Said at the end when the work is done."),
        failed_words: z.string().exactOptional().describe("Said at the end when it is not."),
        usage: z
          .strictObject({ input: tokens, cached: tokens, output: tokens, reasoning: tokens })
          .default({})
          .describe("Tokens that each answer says it took."),
        faults: z.array(faultSchema).default([]).describe("What goes wrong on the way."),
      }),
    )
    .min(1)
    .describe("The first that fits a conversation is used."),
});
