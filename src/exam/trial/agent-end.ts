import type { HarnessOutcome } from "../../harness/harness.ts";

/** How the agent phase ended, as the exam saw it. */
export type AgentEnd =
  | { readonly kind: "returned"; readonly outcome: HarnessOutcome }
  /** At the deadline; with what the harness still returned in its grace. */
  | {
      readonly kind: "timeout";
      readonly clock: "wall" | "working";
      readonly limitMs: number;
      readonly outcome: HarnessOutcome | undefined;
    }
  /** At a limit on tokens, cost or calls. */
  | { readonly kind: "budget"; readonly limit: string; readonly outcome: HarnessOutcome | undefined }
  | { readonly kind: "cancelled"; readonly outcome: HarnessOutcome | undefined }
  /** The harness threw, or the machine was lost under it: ours, not the contestant's. */
  | { readonly kind: "lost"; readonly reason: string };
