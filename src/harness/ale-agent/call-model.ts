import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { parseJson } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { type ModelFailure, modelFailure } from "./model-failure.ts";
import type { OpenedModel } from "./open-model.ts";

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** `undefined` where it is not JSON. */
  readonly input: JsonValue | undefined;
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AssistantPart = AssistantMessage["content"][number];
type ProviderData = NonNullable<AssistantPart["providerOptions"]>;

/** One answer of the model. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ModelToolCall[];
  readonly usage: Usage;
  /** As the answer names it. */
  readonly served: string | undefined;
  /** It was cut off at its longest allowed length. */
  readonly isTruncated: boolean;
  /** To go on with, signatures of the provider's included. */
  readonly message: AssistantMessage;
}

export type ModelOutcome =
  | { readonly kind: "answer"; readonly answer: ModelAnswer }
  | { readonly kind: "refusal"; readonly reason: string; readonly answer: ModelAnswer }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

/** Asks the model once. Never rejects for what the model, the upstream or the connection did. */
export async function callModel(
  { model, maxOutputTokens }: OpenedModel,
  request: Pick<LanguageModelV4CallOptions, "prompt" | "tools">,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const gathered = new GatheredAnswer();
  try {
    const { stream } = await model.doStream({
      ...request,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      abortSignal: signal,
      providerOptions: { openai: { store: false } },
    });
    for await (const part of stream as AsyncIterable<LanguageModelV4StreamPart>) {
      if (part.type === "error") return { kind: "failure", failure: modelFailure(part.error, signal) };
      gathered.take(part);
    }
  } catch (error) {
    return { kind: "failure", failure: modelFailure(error, signal) };
  }
  return gathered.outcome(signal);
}

/** What a stream has told so far. */
class GatheredAnswer {
  readonly #parts = new Map<string, { type: "text" | "reasoning"; text: string; data: ProviderData }>();
  readonly #calls: ModelToolCall[] = [];
  readonly #content: (() => AssistantPart)[] = [];
  #finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined;
  #served: string | undefined;

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "response-metadata":
        this.#served = part.modelId ?? this.#served;
        return;
      case "text-start":
      case "text-delta":
      case "text-end":
        this.#extend("text", part);
        return;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#extend("reasoning", part);
        return;
      case "tool-call": {
        const { toolName: name, providerMetadata: data } = part;
        const id = this.#freshId(part.toolCallId);
        const input = part.input.trim() === "" ? {} : parseJson(part.input);
        this.#calls.push({ id, name, input });
        this.#content.push(() => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: input ?? {},
          ...(data === undefined ? {} : { providerOptions: data }),
        }));
        return;
      }
      case "finish":
        this.#finish = part;
    }
  }

  /** Ids are the keys by which results are given back: some servers leave them empty or repeat them. */
  #freshId(given: string): string {
    const isFresh = given !== "" && this.#calls.every((call) => call.id !== given);
    return isFresh ? given : `${given === "" ? "call" : given}_${this.#calls.length + 1}`;
  }

  #extend(
    type: "text" | "reasoning",
    part: {
      readonly id: string;
      readonly delta?: string;
      readonly providerMetadata?: ProviderData | undefined;
    },
  ): void {
    const key = `${type} ${part.id}`;
    const open = this.#parts.get(key) ?? this.#begin(key, type);
    open.text += part.delta ?? "";
    for (const [name, values] of Object.entries(part.providerMetadata ?? {})) {
      open.data[name] = { ...open.data[name], ...values };
    }
  }

  #begin(key: string, type: "text" | "reasoning"): { type: typeof type; text: string; data: ProviderData } {
    const part = { type, text: "", data: {} as ProviderData };
    this.#parts.set(key, part);
    this.#content.push(() => ({
      type,
      text: part.text,
      ...(Object.keys(part.data).length === 0 ? {} : { providerOptions: part.data }),
    }));
    return part;
  }

  outcome(signal: AbortSignal): ModelOutcome {
    const reason = this.#finish?.finishReason;
    if (reason === undefined || reason.unified === "interrupted" || reason.unified === "error") {
      const message = `the answer stopped before its end${reason?.raw === undefined ? "" : ` (${reason.raw})`}`;
      return { kind: "failure", failure: { kind: signal.aborted ? "stopped" : "cut", message } };
    }
    const answer: ModelAnswer = {
      text: this.#joined("text"),
      reasoning: this.#joined("reasoning"),
      calls: this.#calls,
      usage: usageOf(this.#finish?.usage),
      served: this.#served,
      isTruncated: reason.unified === "length",
      message: {
        role: "assistant",
        content: this.#content
          .map((make) => make())
          .filter((part) => part.type !== "text" || part.text !== ""),
      },
    };
    if (reason.unified !== "content-filter") return { kind: "answer", answer };
    return {
      kind: "refusal",
      reason: answer.text.trim() || (reason.raw ?? "the answer was withheld"),
      answer,
    };
  }

  #joined(type: "text" | "reasoning"): string {
    return [...this.#parts.values()]
      .filter((part) => part.type === type && part.text !== "")
      .map((part) => part.text)
      .join("\n\n");
  }
}

function usageOf(told: LanguageModelV4Usage | undefined): Usage {
  return {
    ...noUsage,
    calls: 1,
    input: told?.inputTokens.total ?? 0,
    cached: told?.inputTokens.cacheRead ?? 0,
    cacheWrite: told?.inputTokens.cacheWrite ?? 0,
    output: told?.outputTokens.total ?? 0,
    reasoning: told?.outputTokens.reasoning ?? 0,
  };
}
