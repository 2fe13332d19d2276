import type { Effort } from "../../contract/contestant.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { effortBudget, nearestEffort } from "../../gateway/wires/effort-scale.ts";
import type { CliLaunch, CliProgram, CliStart } from "../program/cli-program.ts";
import { searchesWeb, searchSetting } from "../program/searches-web.ts";
import { readGeminiStream } from "./read-gemini-stream.ts";

/** Longest wait for an answer or a tool, in seconds: the gateway waits out rate limits, the harness for the gateway. */
const answerSeconds = 60 * 60;

/** By its number, the longest wait for an answer, in seconds; it has no setting, and would be a minute. */
const timeoutFlag = { flagId: 45_773_134, intValue: String(answerSeconds) };
const flagsFile = ".ale/gemini-flags.json";

/** What its built-in settings for models derive from; none of the rest has a parent. */
const roots = [
  "base",
  "chat-compression-default",
  "chat-compression-3-pro",
  "chat-compression-3-flash",
  "chat-compression-3.1-flash-lite",
  "chat-compression-2.5-pro",
  "chat-compression-2.5-flash",
  "chat-compression-2.5-flash-lite",
  "agent-history-provider-summarizer",
];

/** Gemini CLI, headless, its prompt on standard input. */
export const geminiCliProgram: CliProgram = {
  name: "gemini-cli",
  summary: "Gemini CLI, the coding agent of Google",
  wires: ["gemini"],
  mcp: true,
  settings: [searchSetting],
  start: startGemini,
  reader: readGeminiStream,
};

function startGemini(launch: CliLaunch): CliStart {
  const { node, program, home, model, baseUrl, token, prompt } = launch;
  return {
    argv: [
      node,
      `${program}/node_modules/@google/gemini-cli/bundle/gemini.js`,
      "--output-format",
      "stream-json",
      "--approval-mode",
      "yolo",
      "--skip-trust",
      "--model",
      model,
    ],
    env: {
      GEMINI_API_KEY: token,
      GOOGLE_GEMINI_BASE_URL: baseUrl,
      // It would start itself again, for a larger heap, and not pass every signal on.
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
      GEMINI_EXP: `${home}/${flagsFile}`,
    },
    files: [
      // Servers in the settings of a workspace would not be loaded.
      { path: ".gemini/settings.json", content: JSON.stringify(settingsOf(launch)) },
      { path: flagsFile, content: JSON.stringify({ flags: [timeoutFlag] }) },
    ],
    input: prompt,
  };
}

function settingsOf({ contestant, model, effort, mcp, token }: CliLaunch): JsonValue {
  return {
    // Named, because another address would make it infer a kind of its own that it then refuses.
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    // Retries are the gateway's.
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
    telemetry: { enabled: false },
    tools: { exclude: searchesWeb(contestant) ? [] : ["google_web_search", "web_fetch"] },
    modelConfigs: {
      customOverrides: [
        // A contestant has one model: summaries, checks and compression use it too.
        ...roots.map((name) => ({ match: { model: name }, modelConfig: { model } })),
        ...(effort === undefined ? [] : [thinkingOverride(model, effort)]),
      ],
    },
    mcpServers: Object.fromEntries(
      mcp.map(({ name, url }) => [
        name,
        {
          httpUrl: url,
          headers: { Authorization: `Bearer ${token}` },
          timeout: answerSeconds * 1000,
          trust: true,
        },
      ]),
    ),
  };
}

/** Models before the third generation take a number of thinking tokens, later ones a level. */
function thinkingOverride(model: string, effort: Effort): JsonValue {
  const thinkingConfig = /gemini-[12]\b/.test(model)
    ? { thinkingBudget: effortBudget(effort) }
    : { thinkingLevel: nearestEffort(effort, ["minimal", "low", "medium", "high"]).toUpperCase() };
  return { match: { model: "chat-base" }, modelConfig: { generateContentConfig: { thinkingConfig } } };
}
