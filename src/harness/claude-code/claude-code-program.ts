import { arch } from "node:os";
import type { Effort } from "../../contract/contestant.ts";
import type { CliLaunch, CliProgram, CliStart } from "../program/cli-program.ts";
import { searchesWeb, searchSetting } from "../program/searches-web.ts";
import { readClaudeStream } from "./read-claude-stream.ts";

/** Its levels, by ours; `none` is not a level but thinking turned off. */
const levels: Readonly<Record<Exclude<Effort, "none">, string>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

const mcpFile = ".ale/mcp.json";

/** Longest wait for an answer, in milliseconds: the gateway waits out rate limits, the harness for the gateway. */
const answerMs = String(60 * 60 * 1000);

/** Claude Code, headless: its native program, its prompt on standard input. */
export const claudeCodeProgram: CliProgram = {
  name: "claude-code",
  summary: "Claude Code, the coding agent of Anthropic",
  wires: ["anthropic-messages"],
  mcp: true,
  settings: [searchSetting],
  start: startClaude,
  reader: readClaudeStream,
};

function startClaude(launch: CliLaunch): CliStart {
  const { program, home, model, effort } = launch;
  const headless = ["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"];
  const withheld = searchesWeb(launch.contestant) ? [] : ["--disallowedTools", "WebSearch"];
  const level = effort === undefined || effort === "none" ? [] : ["--effort", levels[effort]];
  return {
    argv: [
      `${program}/node_modules/@anthropic-ai/claude-code-linux-${arch()}/claude`,
      ...headless,
      "--forward-subagent-text",
      "--dangerously-skip-permissions",
      ...withheld,
      "--model",
      model,
      ...level,
      "--strict-mcp-config",
      "--mcp-config",
      `${home}/${mcpFile}`,
    ],
    env: environment(launch),
    files: [{ path: mcpFile, content: JSON.stringify({ mcpServers: serversOf(launch) }) }],
    input: launch.prompt,
  };
}

function environment({ baseUrl, token, model, effort }: CliLaunch): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: token,
    // A contestant has one model: sub-agents and small tasks use it too.
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
    // Without it, refused on a machine whose agent is root.
    IS_SANDBOX: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // Otherwise it hides tools of MCP servers until they are searched for.
    ENABLE_TOOL_SEARCH: "false",
    // Retries are the gateway's.
    CLAUDE_CODE_MAX_RETRIES: "1",
    API_TIMEOUT_MS: answerMs,
    MCP_TOOL_TIMEOUT: answerMs,
    ...effortVariables(effort),
  };
}

function effortVariables(effort: Effort | undefined): Readonly<Record<string, string>> {
  if (effort === undefined) return {};
  if (effort === "none") return { CLAUDE_CODE_DISABLE_THINKING: "1", CLAUDE_CODE_EFFORT_LEVEL: "unset" };
  // Otherwise the level is dropped without a word for a model whose name it does not know.
  return { CLAUDE_CODE_ALWAYS_ENABLE_EFFORT: "1" };
}

function serversOf({ mcp, token }: CliLaunch): Readonly<Record<string, object>> {
  return Object.fromEntries(
    mcp.map(({ name, url }) => [name, { type: "http", url, headers: { Authorization: `Bearer ${token}` } }]),
  );
}
