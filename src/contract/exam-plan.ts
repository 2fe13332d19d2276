import { z } from "zod";
import { type Contestant, contestantSchema } from "./contestant.ts";
import { type ExamFile, examFileSchema } from "./exam-file.ts";
import { instanceIdSchema } from "./ids.ts";
import { type ScoringPolicy, scoringPolicySchema } from "./scoring-policy.ts";

/** One contestant on one instance, one repeat. */
export interface PlannedTrial {
  /** File-name safe, unique in the exam, readable: contestant, workflow, variant and repeat. */
  readonly id: string;
  readonly contestant: string;
  readonly instance: string;
  /** 1-based. */
  readonly repeat: number;
}

/** `exam.json`: the exam resolved, nothing left to defaults. */
export interface ExamPlan {
  readonly schema: "ale/plan@1";
  readonly exam: string;
  readonly createdAt: number;
  readonly file: ExamFile;
  readonly contestants: readonly Contestant[];
  readonly scoring: ScoringPolicy;
  /** In order of admission. */
  readonly trials: readonly PlannedTrial[];
}

export const examPlanSchema: z.ZodType<ExamPlan> = z.strictObject({
  schema: z.literal("ale/plan@1"),
  exam: z.string().min(1),
  createdAt: z.number().nonnegative(),
  file: examFileSchema,
  contestants: z.array(contestantSchema).min(1),
  scoring: scoringPolicySchema,
  trials: z.array(
    z.strictObject({
      id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
      contestant: z.string().min(1),
      instance: instanceIdSchema,
      repeat: z.int().positive(),
    }),
  ),
});
