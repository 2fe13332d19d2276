import { z } from "zod";

/** The phases of a trial. Each has its own limit. */
export type TrialPhase =
  | "provision"
  | "setup"
  | "agent"
  | "quiesce"
  | "collect"
  | "verify"
  | "record"
  | "teardown";

/** In the order they happen. */
export const trialPhases: readonly TrialPhase[] = [
  "provision",
  "setup",
  "agent",
  "quiesce",
  "collect",
  "verify",
  "record",
  "teardown",
];

export const trialPhaseSchema: z.ZodType<TrialPhase> = z.enum(trialPhases as [TrialPhase]);
