import { z } from "zod";
import { type Effort, effortSchema } from "./contestant.ts";
import { type WireName, wireNameSchema } from "./wire.ts";

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

/** An argument; or several, which are left out together where a placeholder in them has no value. */
export type HarnessArgument = string | readonly string[];

/** A package of the npm registry. */
export interface HarnessInstall {
  readonly npm: string;
  /** Exact. */
  readonly version: string;
  /** Of the package, as the registry gives it: `sha512-…`. */
  readonly integrity?: string;
  /** Packages whose install scripts may run. */
  readonly scripts: readonly string[];
}

/** How MCP servers are told to a harness: `{{mcp_servers}}` is `each` for every one of them, joined. */
export interface HarnessMcp {
  /** With `{{mcp_name}}` and `{{mcp_url}}`; streamable HTTP, `{{token}}` as bearer. */
  readonly each: string;
  readonly join: string;
}

/**
 * A harness that is added without code: `ale/harness@1`. Placeholders in its texts are filled in for each trial:
 *
 * | placeholder | value |
 * | --- | --- |
 * | `{{prompt}}` | the instruction, and in what form to end |
 * | `{{model}}`, `{{wire}}`, `{{base_url}}`, `{{token}}` | the way to the model: `token` takes the place of a key |
 * | `{{effort}}` | in the harness's own word; no value where the contestant has none |
 * | `{{setting_NAME}}` | one of `settings`; no value where the contestant does not give it |
 * | `{{home}}` | the agent's home and working folder |
 * | `{{program}}` | where the installed package is: `node_modules` is below |
 * | `{{node}}` | a Node program, version 24 |
 * | `{{mcp_servers}}` | see {@link HarnessMcp} |
 *
 * `{{name|json}}` is the value as a JSON text, in its quotes; TOML and YAML read it as well.
 */
export interface HarnessFile {
  readonly schema: "ale/harness@1";
  readonly name: string;
  readonly summary: string;
  /** Absent = the program is already in the image. */
  readonly install?: HarnessInstall;
  /** Wires it speaks, best first. */
  readonly wires: readonly WireName[];
  /** Absent = it takes no MCP servers over HTTP. */
  readonly mcp?: HarnessMcp;
  /** Names of settings that contestants may give. */
  readonly settings: readonly string[];
  /** Its own words for efforts that it calls otherwise. */
  readonly efforts: Readonly<Partial<Record<Effort, string>>>;
  /** Commands to run to their end before it, such as a login. */
  readonly before: readonly (readonly HarnessArgument[])[];
  readonly command: readonly HarnessArgument[];
  /** The prompt is written to its standard input. */
  readonly prompt_on_stdin: boolean;
  /** A variable is left out where a placeholder in it has no value. */
  readonly env: Readonly<Record<string, string>>;
  /** Files written before the start, relative to the agent's home. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Time to end by itself after SIGTERM. */
  readonly stop_grace_seconds: number;
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

const argument = z.union([z.string(), z.array(z.string()).min(1)]);
const command = z.array(argument).min(1);

export const harnessFileSchema: z.ZodType<HarnessFile> = z.strictObject({
  schema: z.literal("ale/harness@1").describe("The format of this file."),
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be words of small letters and digits, joined by -")
    .describe("As contestants name it."),
  summary: z.string().min(1).describe("One line for lists."),
  install: z
    .strictObject({
      npm: z
        .string()
        .regex(/^(@[a-z0-9._~-]+\/)?[a-z0-9._~-]+$/, "must be the name of an npm package")
        .describe("Its package in the npm registry."),
      version: z
        .string()
        .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "must be an exact version, such as 1.2.3")
        .describe("Exact."),
      integrity: z
        .string()
        .regex(/^sha512-[A-Za-z0-9+/]+={0,2}$/, "must be as the registry gives it: sha512-…")
        .exactOptional()
        .describe("Of the package, as npm view NAME dist.integrity tells."),
      scripts: z.array(z.string().min(1)).default([]).describe("Packages whose install scripts may run."),
    })
    .exactOptional()
    .describe("Absent = the program is in the image."),
  wires: z.array(wireNameSchema).min(1).describe("Protocols it speaks to models, best first."),
  mcp: z
    .strictObject({
      each: z.string().min(1).describe("Text for one server, with {{mcp_name}} and {{mcp_url}}."),
      join: z.string().default(",").describe("Between two of them."),
    })
    .exactOptional()
    .describe("What {{mcp_servers}} is made of. Absent = it takes no MCP servers over HTTP."),
  settings: z
    .array(z.string().regex(/^[a-z][a-z0-9_]*$/, "must be a word of small letters, digits and _"))
    .default([])
    .describe("Settings that contestants may give: {{setting_NAME}}."),
  efforts: z
    .partialRecord(effortSchema, z.string().min(1))
    .default({})
    .describe("Its words for efforts, where they are others than ours."),
  before: z.array(command).default([]).describe("Commands to run first, such as a login."),
  command: command.describe("Its command line. A list in it is left out where a placeholder has no value."),
  prompt_on_stdin: z.boolean().default(false).describe("The prompt goes to its standard input."),
  env: z.record(z.string(), z.string()).default({}).describe("Its environment."),
  files: z
    .array(
      z.strictObject({
        path: z
          .string()
          .regex(/^(?!\/)(?!(.*\/)?\.\.?(\/|$))[^\0]+$/, "must be relative to the home, without . and ..")
          .describe("Relative to the agent's home."),
        content: z.string().describe("Its text."),
      }),
    )
    .default([])
    .describe("Files written before its start."),
  stop_grace_seconds: z.number().positive().default(10).describe("Time to end after SIGTERM."),
  log: log.describe("How its standard output is read."),
});
