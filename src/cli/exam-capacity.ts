import { availableParallelism, totalmem } from "node:os";
import type { ExamFile } from "../contract/exam-file.ts";
import type { ExamCapacity } from "../exam/conduct/conduct-options.ts";

/** Trials wait for models most of their time, so processors are lent out twice. */
const processorShare = 2;
const memoryShare = 0.8;
const bytesPerMiB = 1024 * 1024;

/** What may be in flight at once: as the exam says, else as this machine allows. */
export function examCapacity(concurrency: ExamFile["concurrency"]): ExamCapacity {
  const cpus = concurrency.cpus ?? availableParallelism() * processorShare;
  return {
    trials: concurrency.trials ?? Math.max(2, Math.floor(cpus)),
    cpus,
    memory_mb: concurrency.memory_mb ?? Math.floor((totalmem() / bytesPerMiB) * memoryShare),
    ...(concurrency.verifiers === undefined ? {} : { verifiers: concurrency.verifiers }),
  };
}
