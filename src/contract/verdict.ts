import { z } from "zod";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";

/** One graded criterion. */
export interface Check {
  readonly id: string;
  /** The named part of the workflow it belongs to. */
  readonly stage: string;
  /** Share of the score relative to the other checks; a pure gate weighs 0. */
  readonly weight: number;
  /** A gate that scores below 1 makes the whole verdict 0. */
  readonly gate: boolean;
  /** In [0, 1]. */
  readonly score: number;
  readonly message: string;
  /** Facts behind the score, for maintainers: they may quote the reference. */
  readonly evidence?: JsonValue;
}

/** How the score was made from the checks. */
export type ScoringMethod = "gate-and-score" | "weighted-rubric" | "checklist" | "per-file-mean" | "reward";

/** What a grader returns. Deterministic: the same artifacts give byte-equal JSON. */
export interface Verdict {
  readonly schema: "ale/verdict@1";
  /** In [0, 1]; exactly 1 only when every check is. */
  readonly score: number;
  /** Score exactly 1. */
  readonly fullPass: boolean;
  readonly method: ScoringMethod;
  readonly checks: readonly Check[];
  /** Weighted mean of each stage's checks, in order of first appearance; checks of weight 0 left out. */
  readonly stages: readonly { readonly name: string; readonly weight: number; readonly score: number }[];
  readonly gates: readonly { readonly id: string; readonly passed: boolean }[];
}

const unit = z.number().min(0).max(1);

export const checkSchema: z.ZodType<Check> = z.strictObject({
  id: z.string().min(1),
  stage: z.string().min(1),
  weight: z.number().nonnegative(),
  gate: z.boolean(),
  score: unit,
  message: z.string(),
  evidence: jsonValueSchema.exactOptional(),
});

export const verdictSchema: z.ZodType<Verdict> = z
  .strictObject({
    schema: z.literal("ale/verdict@1"),
    score: unit,
    fullPass: z.boolean(),
    method: z.enum(["gate-and-score", "weighted-rubric", "checklist", "per-file-mean", "reward"]),
    checks: z.array(checkSchema),
    stages: z.array(
      z.strictObject({ name: z.string().min(1), weight: z.number().nonnegative(), score: unit }),
    ),
    gates: z.array(z.strictObject({ id: z.string().min(1), passed: z.boolean() })),
  })
  .refine((verdict) => verdict.fullPass === (verdict.score === 1), "fullPass must say whether score is 1")
  .superRefine((verdict, context) => {
    const problem = scoreProblem(verdict);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["score"], message: problem });
  });

/** Why the score cannot have come from the checks. A `reward` is a foreign grader's word, and has nothing to follow. */
function scoreProblem({ method, score, checks, gates }: Verdict): string | undefined {
  if (method === "reward") return undefined;
  const failedGate =
    checks.find((check) => check.gate && check.score < 1)?.id ?? gates.find((gate) => !gate.passed)?.id;
  if (score > 0 && failedGate !== undefined) return `must be 0: gate "${failedGate}" failed`;
  const missed = checks.find((check) => check.weight > 0 && check.score < 1);
  if (score === 1 && missed !== undefined) {
    return `must be below 1: check "${missed.id}" scores ${missed.score}`;
  }
  return undefined;
}
