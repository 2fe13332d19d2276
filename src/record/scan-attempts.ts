import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../contract/finding.ts";
import { trialResultSchema } from "../contract/trial-result.ts";
import { type Verdict, verdictSchema } from "../contract/verdict.ts";
import { numberedFolders } from "./claim-number.ts";
import { orAbsent } from "./file-error.ts";
import { readEvents } from "./read-events.ts";
import { type JsonFile, readJsonFile } from "./read-json-file.ts";
import { regradeRecordSchema } from "./regrade-record.ts";
import { attemptFiles, attemptsFolder, trialsFolder } from "./run-layout.ts";
import type { AttemptRecord, Regrade } from "./run-record.ts";

/** Where an attempt is, before anything of it is read. */
export interface AttemptPlace {
  readonly trial: string;
  readonly attempt: number;
  readonly dir: string;
}

/** Every attempt folder of a run, ordered by trial and attempt. */
export async function attemptPlaces(runDir: string): Promise<readonly AttemptPlace[]> {
  const trials = ((await orAbsent(readdir(trialsFolder(runDir)))) ?? []).sort();
  const places: AttemptPlace[] = [];
  for (const trial of trials) {
    const parent = attemptsFolder(runDir, trial);
    for (const attempt of await numberedFolders(parent)) {
      places.push({ trial, attempt, dir: join(parent, String(attempt)) });
    }
  }
  return places;
}

/** Reads one attempt. Damaged files are in `problems`, and count as absent. */
export async function readAttempt(place: AttemptPlace): Promise<AttemptRecord> {
  const problems: Finding[] = [];
  const result = presentValue(
    await readJsonFile(join(place.dir, attemptFiles.result), trialResultSchema),
    problems,
  );
  const verdict = await readVerdict(place.dir, problems);
  return attemptRecord(place, {
    result,
    verdict,
    regrades: await readRegrades(place.dir, problems),
    problems,
  });
}

/** An attempt of which everything but its events was read. */
export function attemptRecord(
  { trial, attempt, dir }: AttemptPlace,
  read: Pick<AttemptRecord, "result" | "verdict" | "regrades" | "problems">,
): AttemptRecord {
  return { trial, attempt, dir, ...read, events: () => readEvents(join(dir, attemptFiles.events)) };
}

/** Folders in which a regrade was finished, oldest first; one without its record was cut off. */
export async function regradeFolders(attemptDir: string): Promise<readonly string[]> {
  const parent = join(attemptDir, attemptFiles.regrades);
  return (await numberedFolders(parent)).map((number) => join(parent, String(number)));
}

async function readRegrades(attemptDir: string, problems: Finding[]): Promise<readonly Regrade[]> {
  const regrades: Regrade[] = [];
  for (const dir of await regradeFolders(attemptDir)) {
    const record = presentValue(
      await readJsonFile(join(dir, attemptFiles.regrade), regradeRecordSchema),
      problems,
    );
    if (record === undefined) continue;
    regrades.push({ ...record, verdict: await readVerdict(dir, problems) });
  }
  return regrades;
}

async function readVerdict(dir: string, problems: Finding[]): Promise<Verdict | undefined> {
  return presentValue(await readJsonFile(join(dir, attemptFiles.verdict), verdictSchema), problems);
}

function presentValue<T>(file: JsonFile<T>, problems: Finding[]): T | undefined {
  if (file.kind === "damaged") problems.push(file.finding);
  return file.kind === "value" ? file.value : undefined;
}
