import type { DraftStep } from "./draft-step.ts";
import { finalMetricsOf } from "./final-metrics-of.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { TrajectoryWriter } from "./open-trajectory-writer.ts";
import { createStepAssembler } from "./step-assembler.ts";
import type { ProcessEnd, StreamFacts, StreamReader } from "./stream-reader.ts";

export interface RecordedStream {
  readonly facts: StreamFacts;
  /** Of `trajectory.json`. */
  readonly path: string;
}

/**
 * Reads a harness's output to its end and writes its trajectory as it comes; the writer is finished then.
 * `now` stamps the lines on arrival, in milliseconds since the epoch; `ended` is asked once the output is over. What the
 * agent was told, the `prompt`, is the first step also where the harness does not repeat it.
 */
export async function recordStream(
  output: AsyncIterable<Uint8Array>,
  reader: StreamReader,
  writer: TrajectoryWriter,
  now: () => number,
  ended: () => Promise<ProcessEnd>,
  prompt?: string,
): Promise<RecordedStream> {
  const splitter = createLineSplitter();
  const assembler = createStepAssembler();
  const startedAt = now();

  async function write(step: DraftStep): Promise<void> {
    if (writer.steps === 0 && prompt !== undefined && step.source !== "user")
      await writer.write(promptStep());
    await writer.write(step);
  }

  function promptStep(): DraftStep {
    return { at: startedAt, source: "user", message: [{ type: "text", text: prompt ?? "" }], results: [] };
  }

  async function take(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      const at = now();
      for (const event of reader.read(line)) {
        for (const step of assembler.take(event, at)) await write(step);
      }
    }
  }

  for await (const chunk of output) await take(splitter.push(chunk));
  await take(splitter.end());
  for (const step of assembler.end()) await write(step);
  if (writer.steps === 0 && prompt !== undefined) await writer.write(promptStep());
  const facts = reader.conclude(await ended());
  const path = await writer.finish({
    final_metrics: finalMetricsOf(facts),
    extra: {
      ale: {
        ending: facts.ending,
        models: facts.models,
        noise: facts.noise,
        ...(facts.sessionId.known ? { harness_session: facts.sessionId.value } : {}),
        ...(facts.version.known ? { harness_version: facts.version.value } : {}),
      },
    },
  });
  return { facts, path };
}
