import { describe, expect, test } from "vitest";
import { claudeCodeProgram } from "../claude-code/claude-code-program.ts";
import { clineProgram } from "../cline/cline-program.ts";
import { codexProgram } from "../codex/codex-program.ts";
import { copilotProgram } from "../copilot/copilot-program.ts";
import { geminiCliProgram } from "../gemini-cli/gemini-cli-program.ts";
import { openclawProgram } from "../openclaw/openclaw-program.ts";
import { opencodeProgram } from "../opencode/opencode-program.ts";
import { piProgram } from "../pi/pi-program.ts";
import { qwenCodeProgram } from "../qwen-code/qwen-code-program.ts";
import type { CliLaunch, CliProgram, CliStart } from "./cli-program.ts";

const programs: readonly CliProgram[] = [
  claudeCodeProgram,
  clineProgram,
  codexProgram,
  copilotProgram,
  geminiCliProgram,
  openclawProgram,
  opencodeProgram,
  piProgram,
  qwenCodeProgram,
];

function startOf(program: CliProgram, more: Partial<CliLaunch> = {}): CliStart {
  return program.start({
    contestant: { name: "tester", harness: program.name, model: "model", settings: {} },
    prompt: "Do it.",
    home: "/home/agent",
    program: "/opt/ale/program",
    node: "/ale/node/bin/node",
    model: "model",
    wire: program.wires[0] ?? "openai-chat",
    baseUrl: "http://127.0.0.1:4141",
    token: "trial-token",
    mcp: [{ name: "screen", url: "http://127.0.0.1:4141/mcp/screen" }],
    limits: {},
    ...more,
  });
}

function contentOf({ files }: CliStart): string {
  return files.map(({ content }) => content).join("\n");
}

describe.each(programs.map((program) => [program.name, program] as const))("%s", (_, program) => {
  test("shows neither its token nor its prompt to whoever lists processes", () => {
    const start = startOf(program);
    const { argv, input } = start;
    expect(input ?? contentOf(start)).toContain("Do it.");
    expect(argv.join(" ")).not.toMatch(/trial-token|Do it/);
  });

  test("takes a model's name with quotes and line breaks as a name", () => {
    const model = 'a "b" \\ c\nd = 1';
    const start = startOf(program, { model });
    expect(start.argv.includes(model) || contentOf(start).includes(JSON.stringify(model))).toBe(true);
  });

  test("is told of no server and no effort where there is none", () => {
    const text = contentOf(startOf(program, { mcp: [] }));
    expect(text).not.toMatch(/http:[^"]*\/mcp\/|effort|thinking/);
  });
});

test("Gemini CLI tells models of the second generation a number of thinking tokens, later ones a level", () => {
  const told = (model: string): string => contentOf(startOf(geminiCliProgram, { model, effort: "medium" }));
  expect(told("gemini-2.5-pro")).toContain('{"thinkingBudget":8192}');
  expect(told("google/gemini-2.5-flash")).toContain('{"thinkingBudget":8192}');
  expect(told("gemini-3-pro")).toContain('{"thinkingLevel":"MEDIUM"}');
});

test("Qwen Code lets every model see pictures where there is a screen, and goes by its name elsewhere", () => {
  expect(contentOf(startOf(qwenCodeProgram))).toContain('"modalities":{"image":true}');
  expect(contentOf(startOf(qwenCodeProgram, { mcp: [] }))).not.toContain("modalities");
});

test("a model's room is what a contestant says of it, and a mistake in it is told", () => {
  const room = (settings: CliLaunch["contestant"]["settings"]): string =>
    contentOf(
      startOf(piProgram, { contestant: { name: "tester", harness: "pi", model: "model", settings } }),
    );
  expect(room({})).toContain('"contextWindow":200000,"maxTokens":32000');
  expect(room({ context_tokens: 64_000, output_tokens: 8000 })).toContain(
    '"contextWindow":64000,"maxTokens":8000',
  );
  expect(() => room({ output_tokens: "many" })).toThrow('tester: output_tokens is "many"');
});
