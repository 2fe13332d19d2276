import { z } from "zod";
import type { Contestant } from "../../contract/contestant.ts";
import type { Finding } from "../../contract/finding.ts";

/** What a contestant may set of `ale-agent`; an unknown setting is an error. */
export interface AgentSettings {
  /** Answers of the model before it is asked for its last words. */
  readonly max_turns: number;
  /** The model's context window; the conversation is compacted before it is full. */
  readonly context_tokens: number;
  /** The newest images that stay in the conversation. */
  readonly keep_images: number;
  /**
   * `true`: the model sees images. `false`: it is given none. A model's name: that model sees, and does the work at the
   * screen as a sub-agent.
   */
  readonly vision: boolean | string;
  /** Offers what programs tell assistive programs beside the screen; the exam acts on it. */
  readonly accessibility: boolean;
}

export const agentSettingsSchema: z.ZodType<AgentSettings> = z.strictObject({
  max_turns: z.int().min(1).default(300),
  context_tokens: z.int().min(4000).default(160_000),
  keep_images: z.int().min(0).max(100).default(4),
  vision: z.union([z.boolean(), z.string().min(1)]).default(true),
  accessibility: z.boolean().default(false),
});

/** What is wrong with a contestant's settings, or its lack of a model; empty when it can sit. */
export function agentFindings(contestant: Contestant): readonly Finding[] {
  const parsed = agentSettingsSchema.safeParse(contestant.settings);
  const issues = parsed.success ? [] : parsed.error.issues;
  return [
    ...issues.map(
      (issue): Finding => ({
        severity: "error",
        code: issue.code === "unrecognized_keys" ? "unknown-setting" : "bad-setting",
        message: `${contestant.name}: ${[...issue.path, issue.message].join(": ")}`,
        remedy: "ale-agent takes: max_turns, context_tokens, keep_images, vision, accessibility",
      }),
    ),
    ...(contestant.model === undefined
      ? [
          {
            severity: "error",
            code: "model-missing",
            message: `${contestant.name}: ale-agent drives a model, and none is named`,
            remedy: "name one with --model, or with model in exam.yaml; ale models ls lists them",
          } satisfies Finding,
        ]
      : []),
  ];
}
