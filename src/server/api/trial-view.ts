import type { Artifact } from "../../contract/artifact.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { Verdict } from "../../contract/verdict.ts";
import type { CountedGrade } from "../../record/counted-grade.ts";
import type { PreviewKind } from "./artifact-preview.ts";
import type { TrialRow } from "./trial-row.ts";

/** A file of an attempt that a page may open. */
export interface RecordFile {
  /** Relative to the attempt's folder, e.g. `artifacts/report.csv`. */
  readonly path: string;
  readonly bytes: number;
  readonly preview: PreviewKind;
}

/** A file of items that is read piece by piece. */
export interface ItemFile {
  readonly kind: "events" | "steps" | "calls" | "actions";
  readonly bytes: number;
}

/** What is kept from the page, and why. */
export interface Withheld {
  /** `content`: instruction, items and files, because the task is private or its pool is unknown. */
  readonly what: "content" | "evidence";
  readonly reason: string;
}

/** One attempt, without its items and files, which are read on demand. */
export interface TrialView {
  readonly run: string;
  readonly row: TrialRow;
  readonly attempt: number;
  /** Attempt numbers there are. */
  readonly attempts: readonly number[];
  /** Absent: cut off, or still running. */
  readonly result?: TrialResult;
  /** The grade that counts; evidence only for maintainers. */
  readonly grade?: Omit<CountedGrade, "verdict">;
  readonly verdict?: Verdict;
  readonly regrades: number;
  readonly title?: string;
  /** As the agent got it, Markdown. */
  readonly instruction?: string;
  /** The task package is no longer what it was when the trial was run. */
  readonly taskChanged: boolean;
  readonly artifacts: readonly Artifact[];
  readonly files: readonly RecordFile[];
  readonly items: readonly ItemFile[];
  readonly problems: readonly string[];
  readonly withheld: readonly Withheld[];
}
