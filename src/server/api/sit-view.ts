import type { DeskFile, SittingDesk } from "../../contract/sitting-desk.ts";
import type { TrialStatus } from "../../contract/trial-status.ts";
import type { Verdict } from "../../contract/verdict.ts";

/** What a sitting came to. */
export interface SitResult {
  readonly status: TrialStatus;
  /** What ended it, in words; empty when completed. */
  readonly reason: string;
  readonly score: number | null;
  readonly fullPass: boolean | null;
  /** Time of the person's own work, in milliseconds. */
  readonly workMs: number;
  readonly verdict?: Verdict;
  /** Name of the run that keeps it. */
  readonly run: string;
}

/** A sitting as its page shows it. */
export type SitView = {
  readonly instance: string;
  readonly title: string;
  readonly contestant: string;
} & (
  | { readonly phase: "preparing" }
  | (Pick<SittingDesk, "instruction" | "outputs" | "startedAt" | "deadline"> & {
      readonly phase: "working";
      /** The server's clock, in milliseconds since the Unix epoch. */
      readonly now: number;
      readonly screen?: { readonly width: number; readonly height: number };
    })
  | { readonly phase: "grading" }
  | { readonly phase: "ended"; readonly result: SitResult }
  /** It could not be sat to its end. */
  | { readonly phase: "failed"; readonly message: string }
);

/** What lies at the desk. */
export interface SitFiles {
  readonly input: readonly DeskFile[];
  readonly output: readonly DeskFile[];
}
