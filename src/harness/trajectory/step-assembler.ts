import type { JsonValue } from "../../contract/json-value.ts";
import type { DraftStep } from "./draft-step.ts";
import { createOpenStep, type OpenStep } from "./open-step.ts";
import type { StreamEvent } from "./stream-event.ts";

type AgentEvent = Extract<StreamEvent, { readonly kind: "text" | "reasoning" | "call" | "metrics" }>;

export interface AssemblerLimits {
  /** Of steps that wait for results; above, the oldest goes without. */
  readonly waitingSteps: number;
  readonly waitingCharacters: number;
  /** A longer step is continued in a new one. */
  readonly stepCharacters: number;
  /** Of events kept for the next step; above, they become a step of the system. */
  readonly keptCharacters: number;
}

const usual: AssemblerLimits = {
  waitingSteps: 64,
  waitingCharacters: 16 * 1024 * 1024,
  stepCharacters: 2 * 1024 * 1024,
  keptCharacters: 64 * 1024,
};

/** Gathers what a stream tells into steps, in order, with every result in the step of its call. */
export interface StepAssembler {
  /** Takes an event that arrived at a time (milliseconds since the epoch); gives out the steps it completes. */
  take(event: StreamEvent, at: number): readonly DraftStep[];
  /** All that is left. */
  end(): readonly DraftStep[];
}

/** Memory is bounded by the limits, whatever the stream. */
export function createStepAssembler(limits: AssemblerLimits = usual): StepAssembler {
  const waiting: (OpenStep | DraftStep)[] = [];
  let open: OpenStep | undefined;
  let kept: JsonValue[] = [];
  let keptCharacters = 0;
  let keptSince = 0;

  function takeKept(): JsonValue[] {
    const events = kept;
    kept = [];
    keptCharacters = 0;
    return events;
  }

  function keep(event: JsonValue, at: number): void {
    if (kept.length === 0) keptSince = at;
    kept.push(event);
    keptCharacters += JSON.stringify(event).length;
    if (keptCharacters > limits.keptCharacters) closeKept();
  }

  function closeKept(): void {
    if (kept.length === 0) return;
    waiting.push(plainStep("system", [], keptSince, takeKept()));
  }

  function close(): void {
    open = undefined;
  }

  /** The step an event of the agent belongs to: the same group, or, without groups, by the order of things. */
  function stepFor(event: AgentEvent): OpenStep | undefined {
    if (event.group !== undefined) {
      const same = waiting.findLast(
        (step) => isOpen(step) && step.group === event.group && step.subagent === event.subagent,
      );
      const step = same !== undefined && isOpen(same) ? same : undefined;
      return step !== undefined && step.characters > limits.stepCharacters && event.kind !== "metrics"
        ? undefined
        : step;
    }
    if (open === undefined || open.group !== undefined || open.subagent !== event.subagent) return undefined;
    if (event.kind === "metrics") return open;
    if (open.characters > limits.stepCharacters) return undefined;
    if (event.kind === "call") return open.hasCalls && open.answered ? undefined : open;
    if (open.hasCalls) return undefined;
    const continues = event.kind === "reasoning" || event.delta === true;
    return open.hasText && !continues ? undefined : open;
  }

  function takeAgent(event: AgentEvent, at: number): void {
    if ((event.kind === "text" || event.kind === "reasoning") && event.text === "") return;
    let step = stepFor(event);
    if (step === undefined) {
      step = createOpenStep(at, event);
      waiting.push(step);
      step.keep(takeKept());
    }
    open = step;
    if (!step.take(event) && event.kind === "call") {
      keep({ repeated_call: event.id, name: event.name, arguments: event.arguments }, at);
    }
  }

  function takeResult(event: Extract<StreamEvent, { readonly kind: "result" }>, at: number): void {
    const step = waiting.find((candidate) => isOpen(candidate) && candidate.awaits(event.call));
    if (step !== undefined && isOpen(step)) {
      step.answer(event);
      return;
    }
    const content: readonly JsonValue[] = event.content.map((part) => ({ ...part }));
    keep(
      {
        unmatched_result: event.call,
        content,
        ...(event.failed === undefined ? {} : { is_error: event.failed }),
      },
      at,
    );
  }

  /** Steps that nothing can be added to any more, and the oldest where too much waits. */
  function release(all: boolean): readonly DraftStep[] {
    const done: DraftStep[] = [];
    let held = waiting.reduce((sum, step) => sum + (isOpen(step) ? step.characters : 0), 0);
    for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
      const crowded = waiting.length > limits.waitingSteps || held > limits.waitingCharacters;
      const finished = !isOpen(head) || (head !== open && head.answered);
      if (!all && !finished && !crowded) break;
      waiting.shift();
      if (head === open) close();
      if (isOpen(head)) held -= head.characters;
      done.push(isOpen(head) ? head.finish() : head);
    }
    return done;
  }

  return {
    take(event, at) {
      if (event.kind === "other") keep(event.event, at);
      else if (event.kind === "result") takeResult(event, at);
      else if (event.kind === "message") {
        close();
        waiting.push(plainStep(event.source, event.content, at, takeKept()));
      } else takeAgent(event, at);
      return release(false);
    },
    end() {
      const last = waiting.at(-1);
      if (last !== undefined && isOpen(last)) last.keep(takeKept());
      else closeKept();
      return release(true);
    },
  };
}

function isOpen(step: OpenStep | DraftStep): step is OpenStep {
  return "finish" in step;
}

function plainStep(
  source: "system" | "user",
  message: DraftStep["message"],
  at: number,
  events: readonly JsonValue[],
): DraftStep {
  return { at, source, message, results: [], ...(events.length === 0 ? {} : { extra: { ale: { events } } }) };
}
