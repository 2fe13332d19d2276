import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { fieldAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { createFixedClock } from "../fixed-clock.ts";
import type { Script } from "./script.ts";
import { createScriptedModel, type ScriptedModel } from "./scripted-model.ts";
import { alwaysSays, inOrder, runsCommands, storm, withFaults } from "./scripts.ts";

const schema = {
  type: "object" as const,
  properties: { command: { type: "string" } },
  required: ["command"],
};

function start(script: Script): Promise<ScriptedModel> {
  return createScriptedModel({ script, clock: createFixedClock() });
}

function openaiFor(model: ScriptedModel): OpenAI {
  return new OpenAI({ apiKey: "key", baseURL: `${model.origin}/v1`, maxRetries: 0 });
}

function anthropicFor(model: ScriptedModel): Anthropic {
  return new Anthropic({ apiKey: "key", baseURL: model.origin, maxRetries: 0 });
}

async function gemini(model: ScriptedModel, verb: string, body: JsonValue): Promise<string> {
  const response = await fetch(`${model.origin}/v1beta/models/scripted:${verb}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return response.text();
}

describe("the scripted model", () => {
  test("holds a tool conversation with the official Anthropic client, streamed, and says its usage", async () => {
    await using model = await start(runsCommands(["ls"], "All done."));
    const client = anthropicFor(model);
    const tools = [{ name: "Bash", input_schema: schema }];
    const question = { role: "user" as const, content: "List it." };
    const ask = { model: "scripted", max_tokens: 100, tools };
    const first = await client.messages.stream({ ...ask, messages: [question] }).finalMessage();
    const call = first.content.find((block) => block.type === "tool_use");
    expect(call).toMatchObject({ name: "Bash", input: { command: "ls" } });
    expect(first.usage).toMatchObject({ input_tokens: 800, cache_read_input_tokens: 400, output_tokens: 60 });
    const result = { type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "a.txt" };
    const second = await client.messages.create({
      ...ask,
      messages: [
        question,
        { role: "assistant", content: first.content },
        { role: "user", content: [result] },
      ],
    });
    expect(second.content).toEqual([{ type: "text", text: "All done." }]);
    expect(model.calls[1]?.turn).toMatchObject({
      index: 1,
      prompt: "List it.",
      results: [{ callId: call?.id, text: "a.txt", images: 0 }],
    });
    const counted = await client.messages.countTokens({ model: "scripted", messages: [question] });
    expect(counted.input_tokens).toBeGreaterThan(0);
  });

  test("holds a tool conversation with the official OpenAI client over Chat Completions", async () => {
    await using model = await start(runsCommands(["ls"], "All done."));
    const client = openaiFor(model);
    const tools = [{ type: "function" as const, function: { name: "shell", parameters: schema } }];
    const question = { role: "user" as const, content: "List it." };
    const stream = client.chat.completions.stream({
      model: "scripted",
      messages: [question],
      tools,
      stream_options: { include_usage: true },
    });
    const first = await stream.finalChatCompletion();
    expect(first.usage).toMatchObject({ prompt_tokens: 1500, completion_tokens: 60 });
    const message = first.choices[0]?.message;
    expect(message?.tool_calls?.[0]).toMatchObject({
      function: { name: "shell", arguments: '{"command":"ls"}' },
    });
    const second = await client.chat.completions.create({
      model: "scripted",
      tools,
      messages: [
        question,
        ...(message === undefined ? [] : [message]),
        { role: "tool", tool_call_id: message?.tool_calls?.[0]?.id ?? "", content: "a.txt" },
      ],
    });
    expect(second.choices[0]?.message.content).toBe("All done.");
  });

  test("holds a tool conversation with the official OpenAI client over Responses", async () => {
    await using model = await start(runsCommands(["ls"], "All done."));
    const client = openaiFor(model);
    const tools = [{ type: "function" as const, name: "shell", parameters: schema, strict: false }];
    const ask = { model: "scripted", tools, input: "List it." };
    const first = await client.responses.stream(ask).finalResponse();
    const call = first.output.find((item) => item.type === "function_call");
    expect(call).toMatchObject({ name: "shell", arguments: '{"command":"ls"}' });
    expect(first.usage).toMatchObject({ input_tokens: 1500, output_tokens_details: { reasoning_tokens: 8 } });
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "a.txt" };
    const second = await client.responses.create({ ...ask, input: [output] });
    expect(second.output_text).toBe("All done.");
  });

  test("calls a tool of a namespace by its name and namespace", async () => {
    await using model = await start((turn) => {
      const [tool] = turn.tools;
      if (tool?.namespace === undefined) return { kind: "answer", text: "no tool" };
      const call = { name: tool.name, namespace: tool.namespace, arguments: {} };
      return { kind: "answer", toolCalls: [call] };
    });
    const answer = await fetch(`${model.origin}/v1/responses`, {
      method: "POST",
      body: JSON.stringify({
        model: "scripted",
        input: [],
        tools: [{ type: "namespace", name: "mcp__desk", tools: [{ name: "screenshot", parameters: {} }] }],
      }),
    });
    expect(fieldAt((await answer.json()) as JsonValue, "output", 0)).toMatchObject({
      name: "screenshot",
      namespace: "mcp__desk",
    });
  });

  test("speaks Gemini, whole and streamed", async () => {
    await using model = await start(runsCommands(["ls"], "All done."));
    const tools = [{ functionDeclarations: [{ name: "run_shell_command", parametersJsonSchema: schema }] }];
    const user = { role: "user", parts: [{ text: "List it." }] };
    const whole = JSON.parse(
      await gemini(model, "generateContent", { contents: [user], tools }),
    ) as JsonValue;
    const call = fieldAt(whole, "candidates", 0, "content", "parts", 1, "functionCall");
    expect(call).toEqual({ name: "run_shell_command", args: { command: "ls" } });
    const result = { functionResponse: { name: "run_shell_command", response: { output: "a.txt" } } };
    const contents = [
      user,
      { role: "model", parts: [{ functionCall: call }] },
      { role: "user", parts: [result] },
    ];
    const streamed = await gemini(model, "streamGenerateContent?alt=sse", { contents, tools } as JsonValue);
    const events = streamed.split("\n\n").filter((text) => text !== "");
    const last = JSON.parse(events.at(-1)?.slice("data: ".length) ?? "") as JsonValue;
    expect(textAt(last, "candidates", 0, "finishReason")).toBe("STOP");
    expect(fieldAt(last, "usageMetadata")).toMatchObject({ candidatesTokenCount: 52, thoughtsTokenCount: 8 });
  });

  test("fails in the provider's own shape, then answers when the storm is over", async () => {
    await using model = await start(withFaults(alwaysSays("calm"), storm(1, 429, 7)));
    const ask = { model: "scripted", max_tokens: 9, messages: [{ role: "user" as const, content: "?" }] };
    const failure = await anthropicFor(model)
      .messages.create(ask)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Anthropic.RateLimitError);
    expect((failure as InstanceType<typeof Anthropic.RateLimitError>).headers?.get("retry-after")).toBe("7");
    const answer = await anthropicFor(model).messages.create(ask);
    expect(answer.content).toMatchObject([{ text: "calm" }]);
  });

  test("cuts a stream, sends half a document, refuses and answers under another name when told to", async () => {
    await using model = await start(
      inOrder([
        { kind: "answer", text: "one two three", cutAfter: 3 },
        { kind: "malformed" },
        { kind: "refusal", text: "I will not." },
        { kind: "answer", text: "hello", served: "smaller" },
      ]),
    );
    const client = openaiFor(model);
    const ask = { model: "scripted", messages: [{ role: "user" as const, content: "?" }] };
    await expect(client.chat.completions.stream(ask).finalContent()).rejects.toThrow();
    await expect(client.chat.completions.create(ask)).rejects.toThrow();
    const refused = await client.chat.completions.create(ask);
    expect(refused.choices[0]?.message.refusal).toBe("I will not.");
    expect((await client.chat.completions.create(ask)).model).toBe("smaller");
    expect(model.calls.map((call) => call.usage?.output)).toEqual([undefined, undefined, 60, 60]);
  });

  test("gives out a slow stream at the pace of its clock, once it begins", async () => {
    const clock = createFixedClock();
    const script: Script = () => ({ kind: "answer", text: "a b", afterMs: 1000, eventEveryMs: 1000 });
    await using model = await createScriptedModel({ script, clock });
    const reading = fetch(`${model.origin}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "scripted", stream: true, messages: [] }),
    }).then((response) => response.text());
    for (let event = 0; event < 5; event++) {
      await clock.untilSleeping(1);
      await clock.advance(1000);
    }
    expect(await reading).toContain("[DONE]");
    expect(clock.monotonic()).toBe(5000);
  });
});
