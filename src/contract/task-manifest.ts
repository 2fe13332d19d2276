import { z } from "zod";
import { variantSchema, workflowIdSchema } from "./ids.ts";
import { type Limits, limitsSchema } from "./limits.ts";
import { type NetworkPolicy, networkPolicySchema } from "./network-policy.ts";

/** How the agent is meant to act. */
export type Channel = "shell" | "desktop" | "browser";

/** Difficulty, as ALE names it. */
export type Tier = "near-term" | "full-spectrum" | "last-exam";

export type Pool = "local" | "public" | "private" | "retired";

/** A parameter of an instance, filled into `{{name}}` of the instruction. */
export type ParameterValue = string | number | boolean;

export interface OutputSpec {
  /** Relative to `output/`; a trailing `/` means a folder, taken whole. */
  readonly path: string;
  /** What the file is, e.g. `xlsx`, `csv`, `vcf`, `json`, `pdf`, `folder`. */
  readonly kind: string;
  readonly required: boolean;
  /** Largest size taken, in MiB. */
  readonly max_mb: number;
  /** Said to the agent nowhere: a note for readers of the manifest. */
  readonly description?: string;
}

/** The machine a workflow needs. */
export interface SandboxNeeds {
  readonly os: "linux" | "windows";
  /**
   * An image of ours by its name in `images/`; or any other by a registry's name, best with a digest, or by the id the
   * daemon has it by. `local`, which uses the host's programs, refuses it.
   */
  readonly image?: string;
  readonly cpus: number;
  readonly memory_mb: number;
  readonly disk_mb: number;
  readonly gpu: number;
  /** Debian packages that must be there for the agent and the oracle. */
  readonly packages: readonly string[];
}

/** A local server that belongs to the task: started in setup, its state collected after quiesce. */
export interface ServiceSpec {
  readonly name: string;
  readonly argv: readonly string[];
  readonly port?: number;
  /** Ready when this command exits 0. */
  readonly ready?: readonly string[];
  readonly ready_seconds: number;
}

export interface InstanceSpec {
  readonly variant: string;
  /** Given to `generate`; the same seed gives the same bytes. */
  readonly seed: number;
  readonly params: Readonly<Record<string, ParameterValue>>;
}

/** `task.yaml`, schema `ale/task@1`, with every default filled in. */
export interface TaskManifest {
  readonly schema: "ale/task@1";
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly taxonomy: {
    /** Id of a subfield in `data/taxonomy.json`, e.g. `9.2`. */
    readonly subfield: string;
    /** SOC 2018 occupation codes, e.g. `13-2011`. */
    readonly soc: readonly string[];
  };
  readonly tier: Tier;
  readonly interface: readonly Channel[];
  /** The channel the work must be done through; bypassing it is reported, never scored. */
  readonly required_channel?: Channel;
  /** Programs a professional would use, in words. */
  readonly software: readonly string[];
  readonly sandbox: SandboxNeeds;
  readonly network: NetworkPolicy;
  readonly limits: Limits;
  readonly services: readonly ServiceSpec[];
  readonly outputs: readonly OutputSpec[];
  readonly grader: {
    /** Programs that must be on the grading machine's PATH; preflight refuses to grade without them. */
    readonly programs: readonly string[];
    readonly wall_seconds: number;
    readonly memory_mb: number;
  };
  readonly instances: readonly InstanceSpec[];
  readonly provenance: {
    readonly authors: readonly string[];
    readonly sources: readonly { readonly title: string; readonly licence: string; readonly url?: string }[];
    /** How long the work takes a professional, in minutes. */
    readonly human_minutes: number;
    /** What the work would be sold for, in US dollars. */
    readonly value_usd?: number;
  };
  readonly pool: Pool;
  /** A unique string that marks leaked copies of this task. */
  readonly canary: string;
}

export const channelSchema: z.ZodType<Channel> = z.enum(["shell", "desktop", "browser"]);

const outputSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$)).+$/, "must be relative to output/, without ..")
    .describe("Relative to output/; a trailing / means a folder, taken whole."),
  kind: z.string().min(1).describe("What the file is, such as xlsx, csv, vcf, json, pdf or folder."),
  required: z.boolean().default(true).describe("Whether its absence is named in the record."),
  max_mb: z.number().positive().default(100).describe("Largest size taken, in MiB."),
  description: z.string().exactOptional().describe("A note for readers of this file; no agent sees it."),
});

const sandboxSchema = z.strictObject({
  os: z.enum(["linux", "windows"]).default("linux").describe("Operating system of the machine."),
  image: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "Name of an image in images/, such as office; or, for containers, of any other that has Perl, by its name in a registry, best with a digest: registry.example.org/team/image@sha256:…; or the image that machines.yaml says an attached machine is. The provider local has no images.",
    ),
  cpus: z.number().positive().default(2).describe("Processors."),
  memory_mb: z.int().positive().default(2048).describe("Memory, in MiB."),
  disk_mb: z.int().positive().default(2048).describe("Room for everything that is written, in MiB."),
  gpu: z.int().nonnegative().default(0).describe("Graphics processors."),
  packages: z.array(z.string().min(1)).default([]).describe("Debian packages that must be installed."),
});

const serviceSchema = z.strictObject({
  name: z.string().min(1).describe("Unique in the task."),
  argv: z.array(z.string()).min(1).describe("The program and its arguments."),
  port: z.int().min(1).max(65535).exactOptional().describe("TCP port it listens on."),
  ready: z.array(z.string()).min(1).exactOptional().describe("Ready when this command exits 0."),
  ready_seconds: z.number().positive().default(30).describe("How long it may take to be ready."),
});

const instanceSchema = z.strictObject({
  variant: variantSchema.describe("Names the instance: domain/name@variant."),
  seed: z.int().nonnegative().default(0).describe("Given to generate; the same seed gives the same bytes."),
  params: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe("Filled into {{name}} of the instruction, and given to main.ts."),
});

const provenanceSchema = z.strictObject({
  authors: z.array(z.string().min(1)).min(1).describe("Who made the task."),
  sources: z
    .array(
      z.strictObject({ title: z.string().min(1), licence: z.string().min(1), url: z.url().exactOptional() }),
    )
    .default([])
    .describe("What the data was made from, each with its licence."),
  human_minutes: z.number().positive().describe("How long the work takes a professional."),
  value_usd: z
    .number()
    .positive()
    .exactOptional()
    .describe("What the work would be sold for, in US dollars."),
});

export const taskManifestSchema: z.ZodType<TaskManifest> = z.strictObject({
  schema: z.literal("ale/task@1").describe("The format of this file."),
  id: workflowIdSchema.describe("domain/name; the same as the folder's path under tasks/."),
  title: z.string().min(1).describe("A few words, as in a list."),
  summary: z.string().min(1).describe("One or two sentences for a gallery."),
  taxonomy: z.strictObject({
    subfield: z
      .string()
      .regex(/^\d+\.\d+$/, "must be a subfield id such as 9.2")
      .describe("Id of a subfield in data/taxonomy.json, in quotes."),
    soc: z
      .array(z.string().regex(/^\d{2}-\d{4}$/, "must be a SOC 2018 code such as 13-2011"))
      .min(1)
      .describe("SOC 2018 codes of the occupations that do this work."),
  }),
  tier: z.enum(["near-term", "full-spectrum", "last-exam"]).describe("Difficulty."),
  interface: z.array(channelSchema).min(1).describe("How the agent is meant to act."),
  required_channel: channelSchema
    .exactOptional()
    .describe("The channel the work must be done through; bypassing it is reported."),
  software: z.array(z.string().min(1)).default([]).describe("Programs a professional would use, in words."),
  sandbox: sandboxSchema.prefault({}).describe("The machine the work needs."),
  network: networkPolicySchema.default("off").describe("What the machine may reach while the agent works."),
  limits: limitsSchema.default({ wall_minutes: 120 }).describe("What a contestant may use in one attempt."),
  services: z.array(serviceSchema).default([]).describe("Local servers started in setup."),
  outputs: z.array(outputSchema).min(1).describe("All that is collected and graded."),
  grader: z
    .strictObject({
      programs: z
        .array(z.string().min(1))
        .default([])
        .describe("Programs that must be on the PATH where grade runs."),
      wall_seconds: z.number().positive().default(300).describe("How long grading may take."),
      memory_mb: z.int().positive().default(2048).describe("Memory for grading, in MiB."),
    })
    .prefault({})
    .describe("What grading needs."),
  instances: z
    .array(instanceSchema)
    .min(1)
    .refine(
      (list) => new Set(list.map((item) => item.variant)).size === list.length,
      "every instance needs a variant of its own",
    )
    .describe("The runnable cases."),
  provenance: provenanceSchema.describe("Where the task comes from."),
  pool: z.enum(["local", "public", "private", "retired"]).default("local").describe("Who may see it."),
  canary: z.string().min(16).describe("A unique string that marks leaked copies of this task."),
});
