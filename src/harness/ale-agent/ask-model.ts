import type { Clock } from "../../contract/clock.ts";
import type { AgentTool } from "../../desktop/tools/agent-tool.ts";
import { buildPrompt } from "./build-prompt.ts";
import { callModel, type ModelOutcome } from "./call-model.ts";
import type { Conversation } from "./conversation.ts";
import { modelFailure } from "./model-failure.ts";
import type { OpenedModel } from "./open-model.ts";
import type { StepRecorder } from "./step-recorder.ts";

export interface AskOptions {
  readonly opened: OpenedModel;
  readonly tools: readonly AgentTool[];
  readonly keepImages: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly recorder: StepRecorder;
}

/** Tries of one call whose answer broke off, the first included. */
const tries = 4;
const firstWaitMs = 1000;

/** Asks the model for its next answer; one that breaks off under way is asked for again. */
export async function askModel(conversation: Conversation, options: AskOptions): Promise<ModelOutcome> {
  const { opened, keepImages, clock, signal, recorder } = options;
  const prompt = buildPrompt(conversation, { keepImages, imagesInResults: opened.imagesInResults });
  const tools = options.tools.map(({ name, description, schema }) => ({
    type: "function" as const,
    name,
    description,
    inputSchema: schema as object,
  }));
  for (let attempt = 1; ; attempt++) {
    const outcome = await callModel(opened, { prompt, tools }, signal);
    if (outcome.kind !== "failure" || outcome.failure.kind !== "cut" || attempt === tries) return outcome;
    recorder.event("model-retry", { attempt, reason: outcome.failure.message });
    try {
      await clock.sleep(firstWaitMs * 2 ** (attempt - 1), signal);
    } catch (error) {
      return { kind: "failure", failure: modelFailure(error, signal) };
    }
  }
}
