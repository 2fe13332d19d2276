import { expect, test } from "vitest";
import { readOpenclawStream } from "./read-openclaw-stream.ts";

const main = "agent:main:main";
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

function said(text: string, sessionKey = main, stopReason = "stop"): string {
  const message = { role: "assistant", model: "large", content: [{ type: "text", text }], usage, stopReason };
  return JSON.stringify({ type: "message", sessionKey, message });
}

test("the answer that OpenClaw prints once more after the turn is neither noise nor a message", () => {
  const reader = readOpenclawStream();
  reader.read(said("Done."));
  reader.read(JSON.stringify({ type: "agent_end", sessionId: "s", sessionKey: main, success: true }));
  for (const line of ["{", '  "payloads": [', '    { "text": "Done." }', "  ]", "}"]) {
    expect(reader.read(line)).toEqual([]);
  }
  const facts = reader.conclude({ kind: "exited", code: 0 });
  expect(facts).toMatchObject({
    ending: { kind: "completed" },
    finalMessage: { known: true, value: "Done." },
    sessionId: { known: true, value: "s" },
    noise: { lines: 0 },
  });
});

test("what a sub-agent uses counts, though neither its words nor its end are the agent's", () => {
  const reader = readOpenclawStream();
  reader.read(said("I will ask another.", main, "toolUse"));
  reader.read(said("Found it.", "agent:main:subagent:1"));
  expect(reader.conclude({ kind: "exited", code: 0 })).toMatchObject({
    ending: { kind: "error", error: "garbage" },
    finalMessage: { known: true, value: "I will ask another." },
    usage: { known: true, value: { calls: 2, input: 20, output: 10 } },
  });
});
