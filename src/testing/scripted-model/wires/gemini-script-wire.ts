import { fieldAt, listAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { type ScriptedAnswer, type ScriptWire, serverEvent, words } from "./script-wire.ts";

const pathPattern = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

/** Gemini generateContent and streamGenerateContent. */
export const geminiScriptWire: ScriptWire = {
  name: "gemini",
  route(method, url) {
    const [, model, verb] = pathPattern.exec(url.pathname) ?? [];
    if (method !== "POST" || model === undefined) return undefined;
    const kind = verb === "countTokens" ? "count" : "answer";
    return { kind, model: decodeURIComponent(model), stream: verb === "streamGenerateContent" };
  },
  read(body, route) {
    const contents = listAt(body, "contents");
    const parts = contents.flatMap((content) => listAt(content, "parts"));
    const said = contents
      .filter((content) => textAt(content, "role") !== "model")
      .map((content) =>
        listAt(content, "parts")
          .map((part) => textAt(part, "text") ?? "")
          .filter((text) => text !== "")
          .join("\n"),
      );
    return {
      model: route.model ?? "",
      stream: route.stream ?? false,
      tools: listAt(body, "tools")
        .flatMap((tool) => listAt(tool, "functionDeclarations"))
        .map((tool) => ({
          name: textAt(tool, "name") ?? "",
          schema: fieldAt(tool, "parametersJsonSchema") ?? fieldAt(tool, "parameters") ?? {},
        })),
      results: parts.flatMap((part) => {
        const result = fieldAt(part, "functionResponse");
        if (result === undefined) return [];
        const response = fieldAt(result, "response");
        // Clients choose the key themselves.
        const text =
          textAt(response, "output") ?? textAt(response, "content") ?? JSON.stringify(response ?? null);
        return [{ callId: textAt(result, "id") ?? "", text, images: listAt(result, "parts").length }];
      }),
      prompt: said.filter((text) => text !== "").at(-1) ?? "",
      said: said.join("\n"),
      tellUsage: true,
    };
  },
  whole(answer) {
    return chunk(answer, [...thoughts(answer), ...texts(answer), ...calls(answer)], true);
  },
  events(answer) {
    const pieces = [
      ...words(answer.reasoning).map((text) => ({ text, thought: true })),
      ...words(answer.refused ? "" : answer.text).map((text) => ({ text })),
    ];
    return [
      ...pieces.map((part) => serverEvent(chunk(answer, [part], false))),
      serverEvent(chunk(answer, calls(answer), true)),
    ];
  },
  error(status, message) {
    return { error: { code: status, message, status: statuses[status] ?? "INTERNAL" } };
  },
  count(tokens) {
    return { totalTokens: tokens };
  },
};

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function thoughts({ reasoning }: ScriptedAnswer): readonly JsonValue[] {
  return reasoning === "" ? [] : [{ text: reasoning, thought: true }];
}

function texts({ text, refused }: ScriptedAnswer): readonly JsonValue[] {
  return text === "" || refused ? [] : [{ text }];
}

function calls({ toolCalls }: ScriptedAnswer): readonly JsonValue[] {
  return toolCalls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } }));
}

function chunk(answer: ScriptedAnswer, parts: readonly JsonValue[], last: boolean): JsonValue {
  const { usage } = answer;
  const finish = last ? { finishReason: answer.refused ? "SAFETY" : "STOP" } : {};
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...finish }],
    modelVersion: answer.model,
    responseId: `gemini-${answer.serial}`,
    ...(last
      ? {
          usageMetadata: {
            promptTokenCount: usage.input,
            cachedContentTokenCount: usage.cached,
            candidatesTokenCount: usage.output - usage.reasoning,
            thoughtsTokenCount: usage.reasoning,
            totalTokenCount: usage.input + usage.output,
          },
        }
      : {}),
  };
}
