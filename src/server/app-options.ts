import type { AttemptJudgement } from "../board/failures/judge-attempt.ts";
import type { Clock } from "../contract/clock.ts";
import type { FailureScheme } from "../contract/failure-label.ts";
import type { ReportedBoard } from "../contract/reported-board.ts";
import type { About } from "./api/about.ts";
import type { FindLiveRun } from "./live-run.ts";
import type { RunShelf } from "./run-shelf.ts";
import type { ServedTask, ServedTaxonomy } from "./served-task.ts";

/** What the read API answers from. */
export interface AppOptions {
  readonly about: Omit<About, "reported" | "mode">;
  readonly mode: About["mode"];
  readonly shelf: RunShelf;
  /** Which runs go on now, and what their screens show. */
  readonly live: FindLiveRun;
  /** Paces the live events. */
  readonly clock: Clock;
  /** Every workflow at hand, private ones included: hiding is done here. */
  tasks(): Promise<readonly ServedTask[]>;
  readonly taxonomy: ServedTaxonomy;
  /** Why trials failed: judged when asked. */
  readonly failures: {
    scheme(): Promise<FailureScheme>;
    /** Of the run in a folder, its trials that count. */
    judge(runDir: string): Promise<readonly AttemptJudgement[]>;
  };
  /** The published board imported last. */
  reported(): Promise<ReportedBoard | undefined>;
}
