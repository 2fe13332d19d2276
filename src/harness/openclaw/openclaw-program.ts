import { piApis, piIsToldToReason, piLevels, piModelEntry } from "../pi/pi-model.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoomSettings } from "../program/model-room.ts";
import { readOpenclawStream } from "./read-openclaw-stream.ts";
import { streamPluginFiles, streamPluginId } from "./stream-plugin.ts";

const folder = ".openclaw/ale";

/**
 * OpenClaw, a JavaScript program, in its embedded mode for one turn: no gateway of its own, no channels. A plugin of ours
 * tells its messages as they come.
 */
export const openclawProgram: CliProgram = {
  name: "openclaw",
  summary: "OpenClaw, one turn of its embedded agent",
  wires: ["anthropic-messages", "openai-responses", "openai-chat", "gemini"],
  mcp: true,
  settings: modelRoomSettings,
  start: (launch) => ({
    argv: [
      launch.node,
      `${launch.program}/node_modules/openclaw/openclaw.mjs`,
      "agent",
      "--local",
      "--agent",
      "main",
      "--model",
      `ale/${launch.model}`,
      ...(piIsToldToReason(launch) && launch.effort !== undefined
        ? ["--thinking", piLevels[launch.effort]]
        : []),
      "--message-file",
      `${launch.home}/${folder}/prompt.md`,
      "--timeout",
      "0",
      "--json",
    ],
    env: {
      ALE_TOKEN: launch.token,
      OPENCLAW_CONFIG_PATH: `${launch.home}/${folder}/openclaw.json`,
      OPENCLAW_NO_AUTO_UPDATE: "1",
      OPENCLAW_NO_RESPAWN: "1",
      OPENCLAW_DISABLE_BONJOUR: "1",
      OPENCLAW_SKIP_CHANNELS: "1",
      OPENCLAW_SKIP_CRON: "1",
    },
    files: [
      { path: `${folder}/prompt.md`, content: launch.prompt },
      { path: `${folder}/openclaw.json`, content: JSON.stringify(configFile(launch)) },
      ...Object.entries(streamPluginFiles).map(([name, content]) => ({
        path: `${folder}/${streamPluginId}/${name}`,
        content,
      })),
    ],
  }),
  reader: readOpenclawStream,
};

function configFile(launch: CliLaunch): object {
  const { home, model, wire, baseUrl, mcp } = launch;
  const { api, path } = piApis[wire];
  const entry = piModelEntry(launch);
  const servers = mcp.map(({ name, url }) => [
    name,
    { url, transport: "streamable-http", headers: { Authorization: "Bearer ${ALE_TOKEN}" } },
  ]);
  return {
    agents: {
      defaults: {
        model: { primary: `ale/${model}` },
        workspace: home,
        skipBootstrap: true,
        sandbox: { mode: "off" },
      },
    },
    tools: { profile: "coding", toolSearch: false, exec: { mode: "full" } },
    models: {
      mode: "replace",
      providers: { ale: { baseUrl: `${baseUrl}${path}`, api, apiKey: "${ALE_TOKEN}", models: [entry] } },
    },
    mcp: { servers: Object.fromEntries(servers) },
    plugins: {
      load: { paths: [`${home}/${folder}/${streamPluginId}`] },
      entries: { [streamPluginId]: { enabled: true, hooks: { allowConversationAccess: true } } },
    },
  };
}
