import { z } from "zod";

/** A JSON pointer (RFC 6901) into an event of the harness's log; `""` is the whole event. */
export type JsonPointer = string;

/** What an event tells; every member but `tell` and the role is a pointer to where it stands. */
export type LogTelling =
  | { readonly tell: "message"; readonly role: "user" | "system"; readonly content: JsonPointer }
  /** `delta: true` = a piece that continues the one before it. */
  | {
      readonly tell: "text" | "reasoning";
      readonly text: JsonPointer;
      readonly group?: JsonPointer;
      readonly model?: JsonPointer;
      readonly delta?: boolean;
    }
  | {
      readonly tell: "call";
      readonly id: JsonPointer;
      readonly name: JsonPointer;
      /** An object, or its JSON as text. */
      readonly arguments?: JsonPointer;
      readonly group?: JsonPointer;
      readonly model?: JsonPointer;
    }
  /** The call failed where `failed` is `true` or `succeeded` is not. */
  | {
      readonly tell: "result";
      readonly call: JsonPointer;
      readonly content: JsonPointer;
      readonly failed?: JsonPointer;
      readonly succeeded?: JsonPointer;
      readonly exit_code?: JsonPointer;
    }
  /** Of one call to the model, added up; or, with `total`, of all. */
  | {
      readonly tell: "usage";
      readonly total: boolean;
      readonly input?: JsonPointer;
      readonly cached?: JsonPointer;
      readonly cache_write?: JsonPointer;
      readonly output?: JsonPointer;
      readonly reasoning?: JsonPointer;
      readonly cost_usd?: JsonPointer;
      /** Whether `input` counts cached tokens too. */
      readonly input_includes_cached: boolean;
    }
  | {
      readonly tell: "session";
      readonly id?: JsonPointer;
      readonly version?: JsonPointer;
      readonly model?: JsonPointer;
    }
  | { readonly tell: "completed"; readonly final_message?: JsonPointer }
  /** The kind of the failure comes from the status, or from the words. `fatal: false` = it tries again. */
  | {
      readonly tell: "failed";
      readonly message: JsonPointer;
      readonly status?: JsonPointer;
      readonly fatal: boolean;
    }
  /** Said again by another event: dropped. */
  | { readonly tell: "nothing" };

export interface LogRule {
  /** Every pointer must lead to this value, or to one of these. */
  readonly when: Readonly<
    Record<JsonPointer, string | number | boolean | readonly (string | number | boolean)[]>
  >;
  /** Pointer to a list: the rule is for each element, pointers of `tells` start there. */
  readonly each?: JsonPointer;
  readonly tells: readonly LogTelling[];
}

/** How a harness's standard output is read. */
export type HarnessLog =
  /** Plain text: all of it is what the agent says. */
  | { readonly format: "text" }
  | {
      /** An object a line. Every rule whose `when` holds is used; an event of no rule is kept as it is. */
      readonly format: "jsonl";
      /** Whether leaving with 0 is its way of being done, without an event that says so. */
      readonly exit_zero_completes: boolean;
      readonly rules: readonly LogRule[];
    };

/** A harness that is added without code: `ale/harness@1`. `{{name}}` in its texts is filled in for each trial. */
export interface HarnessFile {
  readonly schema: "ale/harness@1";
  readonly name: string;
  readonly summary: string;
  /** Absent = the program is already in the image. */
  readonly install?: { readonly npm: string; readonly version: string };
  /** Prints the program's version. */
  readonly version: readonly string[];
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files written before the start, relative to the agent's home. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly log: HarnessLog;
}

const pointer = z
  .string()
  .regex(
    /^(\/([^~/]|~[01])*)*$/,
    'must be a JSON pointer: "" or steps that each begin with "/", such as /part/text',
  );
const at = pointer.exactOptional();
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const telling: z.ZodType<LogTelling> = z.discriminatedUnion("tell", [
  z.strictObject({ tell: z.literal("message"), role: z.enum(["user", "system"]), content: pointer }),
  z.strictObject({
    tell: z.enum(["text", "reasoning"]),
    text: pointer,
    group: at,
    model: at,
    delta: z.boolean().exactOptional(),
  }),
  z.strictObject({
    tell: z.literal("call"),
    id: pointer,
    name: pointer,
    arguments: at,
    group: at,
    model: at,
  }),
  z.strictObject({
    tell: z.literal("result"),
    call: pointer,
    content: pointer,
    failed: at,
    succeeded: at,
    exit_code: at,
  }),
  z.strictObject({
    tell: z.literal("usage"),
    total: z.boolean().default(false),
    input: at,
    cached: at,
    cache_write: at,
    output: at,
    reasoning: at,
    cost_usd: at,
    input_includes_cached: z.boolean(),
  }),
  z.strictObject({ tell: z.literal("session"), id: at, version: at, model: at }),
  z.strictObject({ tell: z.literal("completed"), final_message: at }),
  z.strictObject({
    tell: z.literal("failed"),
    message: pointer,
    status: at,
    fatal: z.boolean().default(true),
  }),
  z.strictObject({ tell: z.literal("nothing") }),
]);

const log: z.ZodType<HarnessLog> = z.discriminatedUnion("format", [
  z.strictObject({ format: z.literal("text") }),
  z.strictObject({
    format: z.literal("jsonl"),
    exit_zero_completes: z.boolean().default(false),
    rules: z
      .array(
        z.strictObject({
          when: z.record(pointer, z.union([scalar, z.array(scalar).min(1)])),
          each: at,
          tells: z.array(telling).min(1),
        }),
      )
      .min(1),
  }),
]);

export const harnessFileSchema: z.ZodType<HarnessFile> = z.strictObject({
  schema: z.literal("ale/harness@1"),
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be words of small letters and digits, joined by -"),
  summary: z.string().min(1),
  install: z.strictObject({ npm: z.string().min(1), version: z.string().min(1) }).exactOptional(),
  version: z.array(z.string()).min(1),
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).default({}),
  files: z.array(z.strictObject({ path: z.string().min(1), content: z.string() })).default([]),
  log,
});
