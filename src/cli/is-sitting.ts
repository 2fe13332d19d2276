import type { ExamPlan } from "../contract/exam-plan.ts";
import { humanHarness } from "../harness/human/uncalled-human.ts";

/** Whether a person sits it: such a run is not resumed, for a person's work is not asked for twice. */
export function isSitting({ contestants }: Pick<ExamPlan, "contestants">): boolean {
  return contestants.some(({ harness }) => harness === humanHarness);
}
