import { z } from "zod";
import { type TrialStatus, trialStatusSchema } from "../contract/trial-status.ts";

/** `regrades/<n>/regrade.json`: a later grading of stored artifacts. The attempt itself stays as it was. */
export interface RegradeRecord {
  readonly schema: "ale/regrade@1";
  /** 1-based. */
  readonly regrade: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Why it was done, in words. */
  readonly because: string;
  /** Of the task package whose grader ran this time. */
  readonly taskHash: string;
  readonly comparabilityKey: string;
  /** The attempt's status in the light of this grading: a `verifier_error` may be one no more, or become one. */
  readonly status: TrialStatus;
  /** `verdict`: the new verdict is in `verdict.json` beside this file. */
  readonly outcome:
    | { readonly kind: "verdict" }
    | { readonly kind: "verifier-error"; readonly message: string };
}

export const regradeRecordSchema: z.ZodType<RegradeRecord> = z.strictObject({
  schema: z.literal("ale/regrade@1"),
  regrade: z.int().positive(),
  at: z.number().nonnegative(),
  because: z.string(),
  taskHash: z.string().min(1),
  comparabilityKey: z.string().min(1),
  status: trialStatusSchema,
  outcome: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("verdict") }),
    z.strictObject({ kind: z.literal("verifier-error"), message: z.string() }),
  ]),
});
