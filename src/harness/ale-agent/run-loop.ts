import type { AgentTool, ToolOutcome } from "../../desktop/tools/agent-tool.ts";
import { failure } from "../../desktop/tools/agent-tool.ts";
import { type AskOptions, askModel } from "./ask-model.ts";
import type { ModelAnswer, ModelOutcome, ModelToolCall } from "./call-model.ts";
import { compactConversation, summaryRequest } from "./compact-conversation.ts";
import {
  type CallResult,
  type Conversation,
  type ConversationEntry,
  estimateTokens,
} from "./conversation.ts";
import type { ModelFailure } from "./model-failure.ts";

export interface LoopOptions extends AskOptions {
  readonly system: string;
  readonly task: string;
  readonly maxTurns: number;
  readonly contextTokens: number;
  /** What the agent has written down for after a compaction. */
  readonly notes: () => string;
  /** Looks at a last message; what it returns is asked for, once. */
  readonly review?: (message: string) => string | undefined;
  /** A word between two turns, such as that time is short. */
  readonly remind?: () => string | undefined;
  /** Told of each call before it is made. */
  readonly onCall?: (call: string) => void;
}

/** How the loop ended; `message` is the last thing the model said. */
export type LoopEnd = { readonly message: string } & (
  | { readonly kind: "finished" }
  /** It had no more turns, and was asked for its last words. */
  | { readonly kind: "out-of-turns" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
);

/** Compacted when the next call would take so much of the window. */
const fullShare = 0.8;
/** What the newest turns may take of the window after it. */
const keptShare = 0.2;
/** Answers without words or calls that are borne with, one after another. */
const emptyAnswers = 2;

/**
 * Asks the model, does what it calls for, and tells it the results, until it answers without a call. Rejects only with
 * an `AleError` coded `sandbox-gone`, or for a bug.
 */
export async function runLoop(options: LoopOptions): Promise<LoopEnd> {
  const { recorder, clock, signal, opened, keepImages, contextTokens, maxTurns } = options;
  let conversation: Conversation = { system: options.system, entries: [userEntry(options.task)] };
  let message = "";
  let empty = 0;
  let wasReviewed = false;
  let isLast = false;
  /** Of the last call, with what it did not yet hold. */
  let measured = { tokens: 0, entries: 0 };

  const add = (entry: ConversationEntry): void => {
    conversation = { ...conversation, entries: [...conversation.entries, entry] };
  };
  const tell = async (text: string): Promise<void> => {
    add(userEntry(text));
    await recorder.say("user", text);
  };
  const record = (answer: ModelAnswer, results: readonly CallResult[], at: number): Promise<void> =>
    recorder.turn({ answer, results, at, model: opened.name });
  const nextTokens = (): number =>
    measured.tokens + estimateTokens(conversation.entries.slice(measured.entries), keepImages);

  async function compact(): Promise<void> {
    const before = conversation.entries.length;
    const asked = await askModel(
      { ...conversation, entries: [...conversation.entries, userEntry(summaryRequest)] },
      options,
    );
    const summary = asked.kind === "answer" && asked.answer.text !== "" ? asked.answer : undefined;
    if (summary !== undefined) {
      const turn = { answer: { ...summary, calls: [] }, results: [], at: clock.now(), model: opened.name };
      await recorder.turn({ ...turn, purpose: "summary" });
    }
    conversation = compactConversation(conversation, {
      // Some must go, whatever the window is thought to hold.
      keepTokens: Math.min(contextTokens * keptShare, estimateTokens(conversation.entries, keepImages) / 2),
      keepImages,
      notes: options.notes(),
      summary: summary?.text,
    });
    measured = { tokens: 0, entries: 0 };
    recorder.event("compaction", {
      before,
      after: conversation.entries.length,
      summary: summary !== undefined,
    });
    const told = conversation.entries[1];
    if (told?.kind === "user") await recorder.say("user", told.text);
  }

  /** The next answer; a conversation that turns out too long is compacted once. */
  async function ask(): Promise<ModelOutcome> {
    if (nextTokens() > contextTokens * fullShare) await compact();
    const outcome = await askModel(conversation, options);
    if (outcome.kind !== "failure" || outcome.failure.kind !== "too-long") return outcome;
    await compact();
    return askModel(conversation, options);
  }

  for (let turn = 1; ; turn++) {
    const outcome = await ask();
    const at = clock.now();
    if (outcome.kind === "failure") return { kind: "failed", failure: outcome.failure, message };
    const { answer } = outcome;
    if (answer.text !== "") message = answer.text;
    if (outcome.kind === "refusal") {
      await record(answer, [], at);
      return { kind: "refused", reason: outcome.reason, message };
    }
    if (isLast) {
      await record({ ...answer, calls: [] }, [], at);
      return { kind: "out-of-turns", message };
    }

    const results = await runCalls(options, answer.calls);
    await record(answer, results, at);
    if (signal.aborted)
      return { kind: "failed", failure: { kind: "stopped", message: "ended from outside" }, message };
    add({ kind: "turn", answer: answer.message, results });
    const { input, output } = answer.usage;
    if (input > 0) measured = { tokens: input + output, entries: conversation.entries.length };
    // Results came after the count.
    if (input > 0 && results.length > 0)
      measured.tokens += estimateTokens([resultsOnly(results)], keepImages);

    const wish = answer.calls.length > 0 ? undefined : wishAfter(answer);
    if (answer.calls.length === 0 && wish === undefined) return { kind: "finished", message };
    if (wish !== undefined) await tell(wish);
    isLast = turn >= maxTurns;
    const word = isLast ? lastWords : options.remind?.();
    if (word !== undefined) await tell(word);
  }

  /** What is still wanted after an answer that calls for nothing; `undefined` = it may end. */
  function wishAfter(answer: ModelAnswer): string | undefined {
    if (answer.isTruncated)
      return "Your answer was cut off at its longest allowed length. Go on, in smaller parts.";
    if (answer.text.trim() === "") {
      empty += 1;
      return empty <= emptyAnswers
        ? "Your answer was empty. Go on with the task, or end it in words."
        : undefined;
    }
    if (wasReviewed) return undefined;
    wasReviewed = true;
    return options.review?.(answer.text);
  }
}

const lastWords =
  "You have no more turns: no further tool is run. Answer now with your last words, in the form that was asked for.";

/** One call after another: they may depend on each other. */
async function runCalls(
  { tools, signal, onCall }: LoopOptions,
  calls: readonly ModelToolCall[],
): Promise<readonly CallResult[]> {
  const results: CallResult[] = [];
  for (const call of calls) {
    onCall?.(call.id);
    const outcome = signal.aborted
      ? failure("not run: the time is over")
      : await runCall(tools, call, signal);
    results.push({ id: call.id, name: call.name, content: outcome.content, failed: outcome.failed });
  }
  return results;
}

async function runCall(
  tools: readonly AgentTool[],
  { name, input }: ModelToolCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    return failure(`there is no tool ${name}; there are: ${tools.map((each) => each.name).join(", ")}`);
  }
  if (input === undefined) return failure("not run: its arguments are not JSON");
  try {
    return await tool.call(input, signal);
  } catch (error) {
    if (signal.aborted) return failure("ended from outside");
    throw error;
  }
}

function userEntry(text: string): ConversationEntry {
  return { kind: "user", text };
}

function resultsOnly(results: readonly CallResult[]): ConversationEntry {
  return { kind: "turn", answer: { role: "assistant", content: [] }, results };
}
