import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";
import { type Artifact, artifactSchema } from "./artifact.ts";
import { type ChannelUse, channelUseSchema } from "./channel-use.ts";
import { type Claim, claimSchema } from "./claim.ts";
import { type Contestant, contestantSchema } from "./contestant.ts";
import { instanceIdSchema } from "./ids.ts";
import { type JsonValue, jsonValueSchema } from "./json-value.ts";
import { type LastScreen, lastScreenSchema } from "./last-screen.ts";
import { type TrialAccounts, trialAccountsSchema } from "./trial-accounts.ts";
import { type TrialPhase, trialPhaseSchema } from "./trial-phase.ts";
import { type TrialStatus, trialStatusSchema } from "./trial-status.ts";
import { type Usage, usageSchema } from "./usage.ts";

export interface PhaseTiming {
  readonly phase: TrialPhase;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly wallMs: number;
}

/** `result.json` of one attempt: written once, whole, when the attempt has ended. */
export interface TrialResult {
  readonly schema: "ale/result@1";
  readonly trial: string;
  /** 1-based. */
  readonly attempt: number;
  readonly contestant: Contestant;
  readonly harnessVersion: string;
  readonly instance: string;
  /** 1-based. */
  readonly repeat: number;
  /** Content hash of the task package. */
  readonly taskHash: string;
  /** Hash of everything that can move a score besides the contestant. */
  readonly comparabilityKey: string;
  readonly status: TrialStatus;
  /** What ended it, in words; empty when completed. */
  readonly reason: string;
  /** Phase that failed, when one did. */
  readonly failedPhase?: TrialPhase;
  readonly score: Maybe<number>;
  readonly fullPass: Maybe<boolean>;
  readonly startedAt: number;
  readonly wallMs: number;
  /** Time of the agent phase without waits on rate limits. */
  readonly workingMs: number;
  readonly phases: readonly PhaseTiming[];
  readonly usage: Maybe<Usage>;
  readonly costUsd: Maybe<number>;
  /** What each of those who counted says was used; absent for a contestant without a model. */
  readonly accounts?: TrialAccounts;
  readonly claim: Maybe<Claim>;
  /** Through which channels it worked; absent where no agent ran, and in records of before it was accounted for. */
  readonly channels?: ChannelUse;
  /** Where there was a screen: what it showed last, as evidence of how it ended. */
  readonly lastScreen?: LastScreen;
  readonly artifacts: readonly Artifact[];
  /** Provider, image, OS, programs, limits as they were. */
  readonly fingerprint: JsonValue;
}

export const trialResultSchema: z.ZodType<TrialResult> = z.strictObject({
  schema: z.literal("ale/result@1"),
  trial: z.string().min(1),
  attempt: z.int().positive(),
  contestant: contestantSchema,
  harnessVersion: z.string(),
  instance: instanceIdSchema,
  repeat: z.int().positive(),
  taskHash: z.string().min(1),
  comparabilityKey: z.string().min(1),
  status: trialStatusSchema,
  reason: z.string(),
  failedPhase: trialPhaseSchema.exactOptional(),
  score: maybeSchema(z.number().min(0).max(1)),
  fullPass: maybeSchema(z.boolean()),
  startedAt: z.number().nonnegative(),
  wallMs: z.number().nonnegative(),
  workingMs: z.number().nonnegative(),
  phases: z.array(
    z.strictObject({
      phase: trialPhaseSchema,
      startedAt: z.number().nonnegative(),
      wallMs: z.number().nonnegative(),
    }),
  ),
  usage: maybeSchema(usageSchema),
  costUsd: maybeSchema(z.number().nonnegative()),
  accounts: trialAccountsSchema.exactOptional(),
  claim: maybeSchema(claimSchema),
  channels: channelUseSchema.exactOptional(),
  lastScreen: lastScreenSchema.exactOptional(),
  artifacts: z.array(artifactSchema),
  fingerprint: jsonValueSchema,
});
