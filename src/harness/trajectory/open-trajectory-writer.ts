import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { type FinalMetrics, type TrajectoryAgent, trajectoryVersion } from "../../contract/trajectory.ts";
import { stepProblems } from "../../contract/trajectory-problems.ts";
import type { ContentPart, TrajectoryExtra, TrajectoryStep } from "../../contract/trajectory-step.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { DraftStep } from "./draft-step.ts";
import { createImageStore } from "./image-store.ts";
import type { DraftPart } from "./stream-event.ts";

export interface TrajectoryHead {
  /** Our own name of the session: the trial and attempt, say. */
  readonly session_id: string;
  readonly agent: TrajectoryAgent;
}

export interface TrajectoryTail {
  readonly final_metrics?: Omit<FinalMetrics, "total_steps">;
  readonly notes?: string;
  readonly extra?: TrajectoryExtra;
}

/** Writes one trajectory, a step at a time. Disposed before its end it leaves no file but the images. */
export interface TrajectoryWriter extends AsyncDisposable {
  readonly steps: number;
  /** The step is in the file when this resolves; one call at a time. */
  write(step: DraftStep): Promise<void>;
  /** Completes the file under its name, all at once. Returns its path. */
  finish(tail: TrajectoryTail): Promise<string>;
}

/**
 * Opens `<folder>/trajectory.json` for writing; screenshots go to `<folder>/screenshots/`. No more than one step is
 * held. `redact` takes secrets out of every step, head and tail. A step against the format throws an `AleError` coded
 * `bad-trajectory-step`: it is a bug of the reader's.
 */
export async function openTrajectoryWriter(
  folder: string,
  head: TrajectoryHead,
  redact: (value: JsonValue) => JsonValue = (value) => value,
): Promise<TrajectoryWriter> {
  await makeFolder(folder);
  const path = join(folder, "trajectory.json");
  const partial = `${path}.part`;
  const images = createImageStore(folder);
  const file: FileHandle = await open(partial, "w");
  let steps = 0;
  let ended = false;

  const textOf = (value: unknown): string => JSON.stringify(redact(value as JsonValue));
  const opening = textOf({ schema_version: trajectoryVersion, ...head });
  await file.appendFile(`${opening.slice(0, -1)},"steps":[`);

  async function write(draft: DraftStep): Promise<void> {
    const step = await stepOf(draft, steps + 1, (part) => images.place(part));
    const problems = stepProblems(step, steps + 1);
    if (problems.length > 0) {
      throw new AleError({
        code: "bad-trajectory-step",
        message: `a step of the trajectory is not ATIF v1.7: ${problems.join("; ")}`,
        remedy: "report this with the harness's log: its reader is at fault",
        fields: { path, problems },
      });
    }
    await file.appendFile(`${steps === 0 ? "\n" : ",\n"}${textOf(step)}`);
    steps += 1;
  }

  return {
    get steps() {
      return steps;
    },
    write,
    async finish(tail) {
      if (steps === 0) {
        await write({
          at: 0,
          source: "system",
          message: [{ type: "text", text: "No step was seen." }],
          results: [],
        });
      }
      const closing = textOf({ ...tail, final_metrics: { ...tail.final_metrics, total_steps: steps } });
      await file.appendFile(`\n],${closing.slice(1)}\n`);
      await file.sync();
      await file.close();
      ended = true;
      await rename(partial, path);
      return path;
    },
    async [Symbol.asyncDispose]() {
      if (ended) return;
      ended = true;
      await file.close();
      await rm(partial, { force: true });
    },
  };
}

async function stepOf(
  draft: DraftStep,
  id: number,
  place: (part: DraftPart) => Promise<ContentPart>,
): Promise<TrajectoryStep> {
  const { at, message, results, ...rest } = draft;
  const placed = [];
  for (const { content, ...result } of results) {
    placed.push({ ...result, content: await contentOf(content, place) });
  }
  return {
    step_id: id,
    ...(at > 0 ? { timestamp: new Date(at).toISOString() } : {}),
    ...rest,
    message: await contentOf(message, place),
    ...(placed.length === 0 ? {} : { observation: { results: placed } }),
  };
}

/** Plain text where it is one text, as most readers of the format expect. */
async function contentOf(
  parts: readonly DraftPart[],
  place: (part: DraftPart) => Promise<ContentPart>,
): Promise<string | readonly ContentPart[]> {
  const placed: ContentPart[] = [];
  for (const part of parts) placed.push(await place(part));
  if (placed.length === 0) return "";
  const [only] = placed;
  return placed.length === 1 && only?.type === "text" ? only.text : placed;
}
