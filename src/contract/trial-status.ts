import { z } from "zod";

/** How a trial ended. Independent of the verdict: a timeout is graded on what it left. */
export type TrialStatus =
  | "completed"
  | "timeout"
  | "budget_exceeded"
  | "refused"
  | "agent_error"
  | "env_error"
  | "task_error"
  | "verifier_error"
  | "cancelled";

/** Every status, in the order screens list them. */
export const trialStatuses: readonly TrialStatus[] = [
  "completed",
  "timeout",
  "budget_exceeded",
  "refused",
  "agent_error",
  "env_error",
  "task_error",
  "verifier_error",
  "cancelled",
];

export const trialStatusSchema: z.ZodType<TrialStatus> = z.enum(trialStatuses as [TrialStatus]);

const notTheContestants: ReadonlySet<TrialStatus> = new Set(["env_error", "task_error", "verifier_error"]);

/** True where the failure is not the contestant's: such attempts may be retried, and are never a zero. */
export function isRetryable(status: TrialStatus): boolean {
  return notTheContestants.has(status);
}
