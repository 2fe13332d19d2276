import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { type CallShape, type ModelCall, modelCallSchema } from "../../contract/model-call.ts";
import type { WireName } from "../../contract/wire.ts";
import { callFiles } from "./call-log.ts";

/** What a recording has for the next call. */
export type ReplayAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly type: string;
      readonly body: Uint8Array;
    }
  | { readonly kind: "diverged"; readonly message: string };

/** Answers calls in the order in which they were recorded. */
export interface Replay {
  next(wire: WireName, shape: CallShape): Promise<ReplayAnswer>;
}

/**
 * Reads a recording. Throws an `AleError` coded `bad-recording` when there is none or a line is not a call; bodies are read as
 * they are needed.
 * @param own the model of who is answered, whatever the one was called that was recorded.
 */
export async function openReplay(folder: string, own?: string): Promise<Replay> {
  const calls = (await readCalls(folder)).filter(hasAnswer);
  let next = 0;
  return {
    async next(wire, shape) {
      const number = next + 1;
      const call = calls[next];
      if (call === undefined) {
        const message = `call ${number} is not in the recording, which ends after ${calls.length}`;
        return { kind: "diverged", message };
      }
      const difference = describeDifference(call, wire, shape, own);
      if (difference !== undefined) return { kind: "diverged", message: `call ${number}: ${difference}` };
      next++;
      const { outcome, response } = call;
      const hex = response.known ? response.value.slice("sha256:".length) : "";
      const body = await readBody(join(folder, callFiles.bodies, hex));
      return {
        kind: "answer",
        status: "status" in outcome ? outcome.status : 200,
        type: call.answerType,
        body,
      };
    },
  };
}

/** Every call of a recording, in order of arrival. Throws as {@link openReplay} does. */
export async function readCalls(folder: string): Promise<readonly ModelCall[]> {
  const path = join(folder, callFiles.calls);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new AleError({
      code: "bad-recording",
      message: `there is no recording of model calls at ${path}`,
      remedy: "give the folder that a trial's calls.jsonl is in",
      cause: error,
    });
  });
  const lines = text.split("\n").filter((line) => line !== "");
  return lines
    .map((line, index) => readLine(path, line, index + 1))
    .sort((first, second) => first.seq - second.seq);
}

function readLine(path: string, line: string, number: number): ModelCall {
  try {
    return modelCallSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new AleError({
      code: "bad-recording",
      message: `line ${number} of ${path} is not a model call`,
      remedy: "record the trial again",
      cause: error,
    });
  }
}

async function readBody(path: string): Promise<Uint8Array> {
  return await readFile(path).catch((error: unknown) => {
    throw new AleError({
      code: "bad-recording",
      message: `an answer of the recording is not there: ${path}`,
      remedy: "copy the folder bodies along with calls.jsonl",
      cause: error,
    });
  });
}

function hasAnswer(call: ModelCall): boolean {
  return call.response.known;
}

function describeDifference(
  call: ModelCall,
  wire: WireName,
  shape: CallShape,
  own: string | undefined,
): string | undefined {
  if (call.wire !== wire) return `was ${call.wire} when recorded, is ${wire} now`;
  const keys = ["model", "stream", "turns", "tools"] as const;
  const key = keys.find((name) => {
    if (name === "model" && shape.model === own) return false;
    return json(call.shape[name]) !== json(shape[name]);
  });
  if (key === undefined) return undefined;
  return `${key} was ${json(call.shape[key])} when recorded, is ${json(shape[key])} now`;
}

function json(value: JsonValue): string {
  return canonicalJson(value);
}
