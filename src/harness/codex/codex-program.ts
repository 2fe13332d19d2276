import type { Effort } from "../../contract/contestant.ts";
import type { CliLaunch, CliProgram, CliStart } from "../program/cli-program.ts";
import { searchesWeb, searchSetting } from "../program/searches-web.ts";
import { readCodexStream } from "./read-codex-stream.ts";

/** Variable that holds the trial's token; its configuration names it. */
const tokenVariable = "ALE_TRIAL_TOKEN";

/** Longest silence of a stream, in milliseconds: the gateway waits out rate limits, the harness for the gateway. */
const silenceMs = 60 * 60 * 1000;

/** Codex, headless, over the Responses wire, its prompt on standard input. */
export const codexProgram: CliProgram = {
  name: "codex",
  summary: "Codex, the coding agent of OpenAI",
  wires: ["openai-responses"],
  mcp: true,
  settings: [searchSetting],
  start: startCodex,
  reader: readCodexStream,
  // Those of its sub-agents are left out.
  claimsAllCalls: false,
};

function startCodex(launch: CliLaunch): CliStart {
  const { node, program, home, token, prompt } = launch;
  return {
    argv: [
      node,
      `${program}/node_modules/@openai/codex/bin/codex.js`,
      "exec",
      "--json",
      "--strict-config",
      "--skip-git-repo-check",
      // The sandbox is the machine.
      "--dangerously-bypass-approvals-and-sandbox",
      "-",
    ],
    // Not below a temporary folder, where it would leave its helper programs out.
    env: { CODEX_HOME: `${home}/.codex`, [tokenVariable]: token },
    files: [{ path: ".codex/config.toml", content: configuration(launch) }],
    input: prompt,
  };
}

function configuration({ contestant, model, effort, baseUrl, mcp }: CliLaunch): string {
  const effortLine = effort === undefined ? [] : [pair("model_reasoning_effort", levelOf(effort))];
  return [
    pair("model", model),
    pair("model_provider", "ale"),
    ...effortLine,
    pair("web_search", searchesWeb(contestant) ? "live" : "disabled"),
    pair("check_for_update_on_startup", false),
    "[analytics]",
    pair("enabled", false),
    "[feedback]",
    pair("enabled", false),
    "[history]",
    pair("persistence", "none"),
    "[model_providers.ale]",
    pair("name", "ale"),
    pair("base_url", baseUrl),
    pair("env_key", tokenVariable),
    pair("wire_api", "responses"),
    // Retries are the gateway's, but for a stream that breaks off, which only its reader can take up again.
    pair("request_max_retries", 0),
    pair("stream_max_retries", 2),
    pair("stream_idle_timeout_ms", silenceMs),
    ...mcp.flatMap(({ name, url }) => [
      `[mcp_servers.${name}]`,
      pair("url", url),
      pair("bearer_token_env_var", tokenVariable),
      pair("tool_timeout_sec", silenceMs / 1000),
    ]),
    "",
  ].join("\n");
}

/** A TOML string may be written as JSON writes it. */
function pair(key: string, value: string | number | boolean): string {
  return `${key} = ${JSON.stringify(value)}`;
}

function levelOf(effort: Effort): Effort {
  return effort === "max" ? "xhigh" : effort;
}
