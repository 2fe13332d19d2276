import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import { trialResultSchema } from "../contract/trial-result.ts";
import { verdictSchema } from "../contract/verdict.ts";
import { makeFolder } from "../files/make-folder.ts";
import { syncFiles } from "./durable-file.ts";
import { openEventLog } from "./event-log.ts";
import type { Redactor } from "./redactor.ts";
import { attemptFiles, blobFolder } from "./run-layout.ts";
import type { AttemptWriter } from "./run-record.ts";
import { shareArtifacts } from "./share-artifacts.ts";
import { writeRecordFile } from "./write-record-file.ts";

export interface AttemptWriterOptions {
  readonly runDir: string;
  readonly trial: string;
  readonly attempt: number;
  /** Already claimed, and empty. */
  readonly dir: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** From this size on, equal artifacts of different attempts share their bytes. */
const sharedFromBytes = 256 * 1024;

/** Opens a claimed attempt folder for writing. */
export async function openAttemptWriter(options: AttemptWriterOptions): Promise<AttemptWriter> {
  const { dir, trial, attempt, redactor } = options;
  const log = await openEventLog(join(dir, attemptFiles.events), options);
  return {
    trial,
    attempt,
    dir,
    async folder(name) {
      const path = join(dir, name);
      await makeFolder(path);
      return path;
    },
    append: (event) => log.append(event),
    flush: () => log.flush(),
    redact: (value) => redactor.redactJson(value),
    writeVerdict: (verdict) =>
      writeRecordFile(join(dir, attemptFiles.verdict), verdictSchema, verdict, redactor),
    async writeResult(result) {
      if (result.trial !== trial || result.attempt !== attempt) {
        throw new AleError({
          code: "record-invalid",
          message: `the result of ${result.trial}, attempt ${result.attempt} was handed to ${trial}, attempt ${attempt}.`,
        });
      }
      await log.flush();
      const artifacts = join(dir, "artifacts");
      const files = result.artifacts.filter((artifact) => artifact.state === "taken");
      const blobs = join(options.runDir, blobFolder);
      await shareArtifacts({ blobs, artifacts, files, minBytes: sharedFromBytes });
      // A result that outlives its artifacts could not be graded again.
      await syncFiles(files.map((file) => join(artifacts, file.path)));
      await writeRecordFile(join(dir, attemptFiles.result), trialResultSchema, result, redactor);
    },
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
