import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoom, modelRoomSettings } from "../program/model-room.ts";
import { readOpencodeStream } from "./read-opencode-stream.ts";

/** The client of each wire, all bundled, and what it wants after the official client's base URL. */
const clients: Readonly<Record<WireName, { readonly npm: string; readonly path: string }>> = {
  "anthropic-messages": { npm: "@ai-sdk/anthropic", path: "/v1" },
  "openai-responses": { npm: "@ai-sdk/openai", path: "" },
  "openai-chat": { npm: "@ai-sdk/openai-compatible", path: "" },
  gemini: { npm: "@ai-sdk/google", path: "/v1beta" },
};

/**
 * OpenCode, a native program. It asks for no effort, and the gateway asks for it in the form the model takes. Its
 * retries of a failed call cannot be turned off; it may need SIGKILL while it waits for one.
 */
export const opencodeProgram: CliProgram = {
  name: "opencode",
  summary: "OpenCode, the open source coding agent",
  wires: ["anthropic-messages", "openai-responses", "openai-chat", "gemini"],
  mcp: true,
  settings: modelRoomSettings,
  stopGraceMs: 3000,
  claimsAllCalls: false,
  start: (launch) => ({
    argv: [
      `${launch.program}/node_modules/opencode-linux-x64/bin/opencode`,
      "run",
      "--format",
      "json",
      "--model",
      `ale/${launch.model}`,
      "--auto",
    ],
    input: launch.prompt,
    env: {
      ALE_TOKEN: launch.token,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_SHARE: "1",
    },
    files: [{ path: ".config/opencode/opencode.json", content: JSON.stringify(configFile(launch)) }],
  }),
  reader: readOpencodeStream,
};

function configFile({ contestant, effort, model, wire, baseUrl, mcp }: CliLaunch): object {
  const { npm, path } = clients[wire];
  const { context, output } = modelRoom(contestant);
  const entry = {
    name: model,
    attachment: true,
    tool_call: true,
    modalities: { input: ["text", "image"], output: ["text"] },
    limit: { context, output },
    // Without the encrypted reasoning a turn of Responses forgets the last one's.
    ...(wire === "openai-responses" && effort !== "none"
      ? { options: { include: ["reasoning.encrypted_content"] } }
      : {}),
  };
  const servers = mcp.map(({ name, url }) => [
    name,
    {
      type: "remote",
      url,
      enabled: true,
      oauth: false,
      headers: { Authorization: "Bearer {env:ALE_TOKEN}" },
    },
  ]);
  return {
    autoupdate: false,
    share: "disabled",
    model: `ale/${model}`,
    small_model: `ale/${model}`,
    enabled_providers: ["ale"],
    permission: { "*": "allow" },
    mcp: Object.fromEntries(servers),
    provider: {
      ale: {
        npm,
        name: "ale",
        options: { baseURL: `${baseUrl}${path}`, apiKey: "{env:ALE_TOKEN}" },
        models: { [model]: entry },
      },
    },
  };
}
