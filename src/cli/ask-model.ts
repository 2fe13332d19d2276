import { listAt, parseJson, textAt } from "../contract/json-fields.ts";
import type { JsonValue } from "../contract/json-value.ts";
import type { WireName } from "../contract/wire.ts";
import type { TrialGrant } from "../gateway/gateway.ts";

/** One question without tools or history. */
export interface Question {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
}

export type ModelAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none"; readonly reason: string };

interface Wire {
  path(question: Question): string;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
  body(question: Question): JsonValue;
  text(answer: JsonValue): string;
}

const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** How each wire takes a question and gives an answer. */
const wires: Readonly<Record<WireName, Wire>> = {
  "anthropic-messages": {
    path: () => "/v1/messages",
    headers: (token) => ({ "x-api-key": token, "anthropic-version": "2023-06-01" }),
    body: ({ model, system, user, maxTokens }) => ({
      model,
      system,
      max_tokens: maxTokens,
      messages: [{ role: "user", content: user }],
    }),
    text: (answer) =>
      listAt(answer, "content")
        .flatMap((part) => textAt(part, "text") ?? [])
        .join(""),
  },
  "openai-chat": {
    path: () => "/chat/completions",
    headers: bearer,
    body: ({ model, system, user, maxTokens }) => ({
      model,
      max_completion_tokens: maxTokens,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
    }),
    text: (answer) => textAt(answer, "choices", 0, "message", "content") ?? "",
  },
  "openai-responses": {
    path: () => "/responses",
    headers: bearer,
    body: ({ model, system, user, maxTokens }) => ({
      model,
      instructions: system,
      input: user,
      max_output_tokens: maxTokens,
      store: false,
    }),
    text: (answer) =>
      listAt(answer, "output")
        .flatMap((item) => listAt(item, "content"))
        .flatMap((part) => textAt(part, "text") ?? [])
        .join(""),
  },
  gemini: {
    path: ({ model }) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: (token) => ({ "x-goog-api-key": token }),
    body: ({ system, user, maxTokens }) => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: "user", parts: [{ text: user }] }],
      generationConfig: { maxOutputTokens: maxTokens },
    }),
    text: (answer) =>
      listAt(answer, "candidates", 0, "content", "parts")
        .flatMap((part) => textAt(part, "text") ?? [])
        .join(""),
  },
};

/** Puts one question to a model by way of the gateway, in a wire that the model's server speaks. */
export async function askModel(
  { token, endpoints }: Pick<TrialGrant, "token" | "endpoints">,
  wire: WireName,
  question: Question,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { path, headers, body, text } = wires[wire];
  const response = await fetch(`${endpoints[wire]}${path(question)}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers(token) },
    body: JSON.stringify(body(question)),
    signal,
  });
  const content = await response.text();
  const answer = parseJson(content);
  if (!response.ok || answer === undefined) {
    const why = textAt(answer, "error", "message") ?? content.slice(0, 200);
    return { kind: "none", reason: `status ${response.status}: ${why}` };
  }
  const said = text(answer);
  return said === "" ? { kind: "none", reason: "the model said nothing" } : { kind: "text", text: said };
}
