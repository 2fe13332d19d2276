import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoomSettings } from "../program/model-room.ts";
import { piApis, piIsToldToReason, piLevels, piModelEntry } from "./pi-model.ts";
import { readPiStream } from "./read-pi-stream.ts";

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
      ...(launch.effort === undefined ? [] : ["--thinking", piLevels[launch.effort]]),
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

function modelsFile(launch: CliLaunch): object {
  const { api, path } = piApis[launch.wire];
  const levels = piIsToldToReason(launch) ? { thinkingLevelMap: { xhigh: "xhigh" } } : {};
  const entry = { ...piModelEntry(launch), ...levels };
  const baseUrl = `${launch.baseUrl}${path}`;
  return { providers: { ale: { baseUrl, api, apiKey: "$ALE_TOKEN", models: [entry] } } };
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
