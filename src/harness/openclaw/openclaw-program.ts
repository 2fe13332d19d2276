import type { Effort } from "../../contract/contestant.ts";
import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoom, modelRoomSettings } from "../program/model-room.ts";
import { readOpenclawStream } from "./read-openclaw-stream.ts";
import { streamPluginFiles, streamPluginId } from "./stream-plugin.ts";

/** What OpenClaw calls each wire, and what it wants after the official client's base URL. */
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
      ...(reasons(launch) && launch.effort !== undefined ? ["--thinking", levels[launch.effort]] : []),
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

/**
 * Where OpenClaw is told of no reasoning it asks for none, and the gateway asks for it in the form this very model takes.
 * Only Responses must be told: with it OpenClaw asks for the encrypted reasoning without which a turn forgets the last.
 */
function reasons({ wire, effort }: CliLaunch): boolean {
  return wire === "openai-responses" && effort !== "none";
}

function configFile(launch: CliLaunch): object {
  const { contestant, home, model, wire, baseUrl, mcp } = launch;
  const { api, path } = apis[wire];
  const { context, output } = modelRoom(contestant);
  const entry = {
    id: model,
    name: model,
    reasoning: reasons(launch),
    input: ["text", "image"],
    contextWindow: context,
    maxTokens: output,
  };
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
