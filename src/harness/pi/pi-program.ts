import type { Effort } from "../../contract/contestant.ts";
import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoom, modelRoomSettings } from "../program/model-room.ts";
import { readPiStream } from "./read-pi-stream.ts";

/** What pi calls each wire, and what it wants after the official client's base URL. */
const apis: Readonly<Record<WireName, { readonly api: string; readonly path: string }>> = {
  "anthropic-messages": { api: "anthropic-messages", path: "" },
  "openai-responses": { api: "openai-responses", path: "" },
  "openai-chat": { api: "openai-completions", path: "" },
  gemini: { api: "google-generative-ai", path: "/v1beta" },
};

/** The Responses API's levels; the key is ours. */
const levels: Readonly<Record<Effort, string>> = {
  none: "off",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "xhigh",
};

/** pi of Earendil Works, a JavaScript bundle. Its MCP client is built in since 1.x. */
export const piProgram: CliProgram = {
  name: "pi",
  summary: "pi, the minimal coding agent of Earendil Works",
  wires: ["anthropic-messages", "openai-responses", "openai-chat", "gemini"],
  mcp: true,
  settings: modelRoomSettings,
  start: (launch) => ({
    argv: [
      launch.node,
      `${launch.program}/node_modules/@earendil-works/pi-coding-agent/dist/cli.js`,
      "--print",
      "--mode",
      "json",
      "--provider",
      "ale",
      "--model",
      launch.model,
      ...(launch.effort === undefined ? [] : ["--thinking", levels[launch.effort]]),
      "--no-session",
    ],
    input: launch.prompt,
    env: { ALE_TOKEN: launch.token, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    files: [
      { path: ".pi/agent/models.json", content: JSON.stringify(modelsFile(launch)) },
      { path: ".pi/agent/settings.json", content: JSON.stringify(settingsFile) },
      { path: ".pi/agent/mcp.json", content: JSON.stringify(mcpFile(launch)) },
    ],
  }),
  reader: readPiStream,
};

function modelsFile({ contestant, effort, model, wire, baseUrl }: CliLaunch): object {
  const { api, path } = apis[wire];
  const { context, output } = modelRoom(contestant);
  // Where pi is told of no reasoning it asks for none, and the gateway asks for it in the form this very model takes.
  // Only Responses must be told: with it pi asks for the encrypted reasoning without which a turn forgets the last.
  const reasoning = wire === "openai-responses" && effort !== "none";
  const entry = {
    id: model,
    name: model,
    reasoning,
    ...(reasoning ? { thinkingLevelMap: { xhigh: "xhigh" } } : {}),
    input: ["text", "image"],
    contextWindow: context,
    maxTokens: output,
  };
  return { providers: { ale: { baseUrl: `${baseUrl}${path}`, api, apiKey: "$ALE_TOKEN", models: [entry] } } };
}

/** The gateway has tried again already. */
const settingsFile = {
  retry: { enabled: true, maxRetries: 1, baseDelayMs: 500 },
  enableInstallTelemetry: false,
};

function mcpFile({ mcp }: CliLaunch): object {
  const entries = mcp.map(({ name, url }) => [
    name,
    { url, headers: { Authorization: "Bearer ${ALE_TOKEN}" }, exposure: "direct" },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}
