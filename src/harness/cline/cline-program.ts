import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoom, modelRoomSettings } from "../program/model-room.ts";
import { searchesWeb, searchSetting } from "../program/searches-web.ts";
import { readClineStream } from "./read-cline-stream.ts";

/** What Cline calls each wire, and what it wants after the official client's base URL. */
const providers: Readonly<Partial<Record<WireName, { readonly id: string; readonly path: string }>>> = {
  "anthropic-messages": { id: "anthropic", path: "/v1" },
  "openai-chat": { id: "openai-compatible", path: "" },
};

/**
 * Runs its arguments. Cline wants words among them and puts its input after these, but only from a pipe; and an argument
 * is too small for any prompt. The shell waits for its end whatever signal comes.
 */
const throughPipe = `trap : TERM INT; cat | "$0" "$@" 'Your task:'`;

/**
 * Cline, a native program. It asks for no effort, and the gateway asks for it in the form the model takes. Its
 * hub, a daemon, is not wanted. The pictures of MCP servers reach its model as text.
 */
export const clineProgram: CliProgram = {
  name: "cline",
  summary: "Cline, the coding agent, on the command line",
  wires: ["anthropic-messages", "openai-chat"],
  mcp: true,
  settings: [searchSetting, ...modelRoomSettings],
  start: (launch) => ({
    argv: [
      "/bin/sh",
      "-c",
      throughPipe,
      `${launch.program}/node_modules/@cline/cli-linux-x64/bin/cline`,
      "--json",
      "--provider",
      providerOf(launch).id,
      "--model",
      launch.model,
      "--auto-approve",
      "true",
    ],
    env: { CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" },
    input: launch.prompt,
    files: [
      { path: ".cline/data/settings/global-settings.json", content: JSON.stringify(globalSettings(launch)) },
      { path: ".cline/data/settings/providers.json", content: JSON.stringify(providersFile(launch)) },
      { path: ".cline/data/settings/cline_mcp_settings.json", content: JSON.stringify(mcpFile(launch)) },
    ],
  }),
  reader: readClineStream,
};

function providerOf({ wire }: CliLaunch): { readonly id: string; readonly path: string } {
  return providers[wire] ?? { id: "openai-compatible", path: "" };
}

function providersFile(launch: CliLaunch): object {
  const { id, path } = providerOf(launch);
  const { context, output } = modelRoom(launch.contestant);
  const settings = {
    provider: id,
    apiKey: launch.token,
    model: launch.model,
    baseUrl: `${launch.baseUrl}${path}`,
    maxTokens: output,
    contextWindow: context,
  };
  return {
    version: 1,
    lastUsedProvider: id,
    modes: {},
    providers: { [id]: { settings, updatedAt: new Date(0).toISOString(), tokenSource: "manual" } },
  };
}

function globalSettings({ contestant }: CliLaunch): object {
  const tools = { web_search: { enabled: searchesWeb(contestant) } };
  return { telemetryOptOut: true, autoUpdateEnabled: false, tools };
}

function mcpFile({ mcp, token }: CliLaunch): object {
  const entries = mcp.map(({ name, url }) => [
    name,
    { type: "streamableHttp", url, headers: { Authorization: `Bearer ${token}` } },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}
