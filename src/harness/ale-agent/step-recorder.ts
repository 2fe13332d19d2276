import type { Clock } from "../../contract/clock.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { StepMetrics } from "../../contract/trajectory-step.ts";
import { addUsage, noUsage, type Usage } from "../../contract/usage.ts";
import type { HarnessSession } from "../harness.ts";
import type { DraftStep } from "../trajectory/draft-step.ts";
import type { TrajectoryWriter } from "../trajectory/open-trajectory-writer.ts";
import type { ModelAnswer } from "./call-model.ts";
import type { CallResult } from "./conversation.ts";

/** An answer with what became of its calls. */
export interface RecordedTurn {
  readonly answer: ModelAnswer;
  readonly results: readonly CallResult[];
  /** When the answer had come in full, milliseconds since the epoch. */
  readonly at: number;
  readonly model: string;
  /** What it was for, where it was not the task itself. */
  readonly purpose?: "summary";
}

/** Writes what happens to the trajectory and the events, and adds up what the calls used. */
export interface StepRecorder {
  readonly usage: Usage;
  say(source: "system" | "user", text: string): Promise<void>;
  turn(turn: RecordedTurn): Promise<void>;
  /** Told to the events alone. */
  event(kind: string, data: JsonValue): void;
  /** The same for a sub-agent, started by this call. */
  forSubagent(call: string): StepRecorder;
}

export function createStepRecorder(
  writer: TrajectoryWriter,
  { clock, emit }: { readonly clock: Clock; readonly emit: HarnessSession["emit"] },
): StepRecorder {
  let usage: Usage = noUsage;

  function recorder(subagent: string | undefined): StepRecorder {
    const ale = (facts: { readonly [key: string]: JsonValue }): Pick<DraftStep, "extra"> => {
      const all = { ...(subagent === undefined ? {} : { subagent }), ...facts };
      return Object.keys(all).length === 0 ? {} : { extra: { ale: all } };
    };
    const self: StepRecorder = {
      get usage() {
        return usage;
      },
      async say(source, text) {
        const message = [{ type: "text" as const, text }];
        await writer.write({ at: clock.now(), source, message, results: [], ...ale({}) });
      },
      async turn({ answer, results, at, model, purpose }) {
        usage = addUsage(usage, answer.usage);
        await writer.write({
          at,
          source: "agent",
          model_name: answer.served ?? model,
          message: [{ type: "text", text: answer.text }],
          ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
          ...(answer.calls.length === 0
            ? {}
            : {
                tool_calls: answer.calls.map(({ id, name, input }) => ({
                  tool_call_id: id,
                  function_name: name === "" ? "unnamed" : name,
                  arguments: isObject(input) ? input : { value: input ?? null },
                })),
              }),
          metrics: metricsOf(answer.usage),
          llm_call_count: 1,
          results: results.map((result) => ({
            source_call_id: result.id,
            content: result.content,
            ...(result.failed ? { extra: { ale: { is_error: true } } } : {}),
          })),
          ...ale(purpose === undefined ? {} : { purpose }),
        });
        self.event("turn", {
          tools: answer.calls.map((call) => call.name),
          failed: results.filter((result) => result.failed).length,
          input: answer.usage.input,
          output: answer.usage.output,
          ...(purpose === undefined ? {} : { purpose }),
        });
      },
      event(kind, data) {
        const facts = subagent === undefined ? data : { subagent, data };
        emit({ type: "agent", kind, data: facts });
      },
      forSubagent: recorder,
    };
    return self;
  }

  return recorder(undefined);
}

function metricsOf({ input, cached, output, cacheWrite, reasoning }: Usage): StepMetrics {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    cached_tokens: cached,
    ...(cacheWrite + reasoning === 0
      ? {}
      : { extra: { cache_write_tokens: cacheWrite, reasoning_tokens: reasoning } }),
  };
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
