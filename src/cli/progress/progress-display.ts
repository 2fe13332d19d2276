import type { ExamProgress } from "../../exam/conduct/exam-progress.ts";

/** Shows a running exam until disposed. */
export interface ProgressDisplay extends Disposable {
  readonly show: (event: ExamProgress) => void;
}
