import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Finding } from "../contract/finding.ts";
import { trialResultSchema } from "../contract/trial-result.ts";
import { type Verdict, verdictSchema } from "../contract/verdict.ts";
import { namesIn, numberedFolders } from "./numbered-folders.ts";
import { readEvents } from "./read-events.ts";
import { type JsonFile, readSmallJsonFile } from "./read-json-file.ts";
import { regradeRecordSchema } from "./regrade-record.ts";
import { attemptFiles, attemptsFolder, trialsFolder } from "./run-layout.ts";
import type { AttemptRecord, Regrade } from "./run-record.ts";

/** Where an attempt is, before anything of it is read. */
export interface AttemptPlace {
  readonly trial: string;
  readonly attempt: number;
  readonly dir: string;
}

/** Trials or attempts looked at before others get their turn. */
const atOnce = 100;

/**
 * Every attempt folder of a run, ordered by trial and attempt. Asks the file system synchronously, some trials at a time:
 * for tens of thousands of attempts the way through the thread pool costs ten times the question.
 */
export async function attemptPlaces(runDir: string): Promise<readonly AttemptPlace[]> {
  const places: AttemptPlace[] = [];
  for (const [index, trial] of namesIn(trialsFolder(runDir)).toSorted().entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    const parent = attemptsFolder(runDir, trial);
    for (const attempt of numberedFolders(parent)) {
      places.push({ trial, attempt, dir: `${parent}/${attempt}` });
    }
  }
  return places;
}

/** Reads attempts in their order, some at a time. */
export async function readAttempts(places: readonly AttemptPlace[]): Promise<readonly AttemptRecord[]> {
  const attempts: AttemptRecord[] = [];
  for (const [index, place] of places.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    attempts.push(readAttempt(place));
  }
  return attempts;
}

/** Reads one attempt. Damaged files are in `problems`, and count as absent. */
function readAttempt(place: AttemptPlace): AttemptRecord {
  const problems: Finding[] = [];
  const path = `${place.dir}/${attemptFiles.result}`;
  const result = presentValue(readSmallJsonFile(path, trialResultSchema), problems);
  const verdict = readVerdict(place.dir, problems);
  return attemptRecord(place, { result, verdict, regrades: readRegrades(place.dir, problems), problems });
}

/** An attempt of which everything but its events was read. */
export function attemptRecord(
  { trial, attempt, dir }: AttemptPlace,
  read: Pick<AttemptRecord, "result" | "verdict" | "regrades" | "problems">,
): AttemptRecord {
  return { trial, attempt, dir, ...read, events: () => readEvents(join(dir, attemptFiles.events)) };
}

/** Folders in which a regrade was finished, oldest first; one without its record was cut off. */
export function regradeFolders(attemptDir: string): readonly string[] {
  const parent = `${attemptDir}/${attemptFiles.regrades}`;
  return existsSync(parent) ? numberedFolders(parent).map((number) => `${parent}/${number}`) : [];
}

function readRegrades(attemptDir: string, problems: Finding[]): readonly Regrade[] {
  return regradeFolders(attemptDir).flatMap((dir): readonly Regrade[] => {
    const file = readSmallJsonFile(`${dir}/${attemptFiles.regrade}`, regradeRecordSchema);
    const record = presentValue(file, problems);
    return record === undefined ? [] : [{ ...record, verdict: readVerdict(dir, problems) }];
  });
}

function readVerdict(dir: string, problems: Finding[]): Verdict | undefined {
  return presentValue(readSmallJsonFile(`${dir}/${attemptFiles.verdict}`, verdictSchema), problems);
}

function presentValue<T>(file: JsonFile<T>, problems: Finding[]): T | undefined {
  if (file.kind === "damaged") problems.push(file.finding);
  return file.kind === "value" ? file.value : undefined;
}
