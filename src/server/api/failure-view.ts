import type { FailureSummary } from "../../board/failures/summarise-failures.ts";
import type { FailureScheme } from "../../contract/failure-label.ts";

export type { AttemptJudgement } from "../../board/failures/judge-attempt.ts";

/** Why trials of a run did not pass in full. */
export interface FailureView {
  readonly run: string;
  readonly scheme: FailureScheme;
  readonly summary: FailureSummary;
}

/** Body of a request that labels an attempt; only a maintainers' server takes it. */
export interface LabelRequest {
  readonly run: string;
  readonly trial: string;
  readonly attempt: number;
  readonly coder: string;
  readonly label: string;
  readonly note: string;
}
