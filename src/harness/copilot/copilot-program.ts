import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch, CliProgram } from "../program/cli-program.ts";
import { modelRoom, modelRoomSettings } from "../program/model-room.ts";
import { readCopilotStream } from "./read-copilot-stream.ts";

/** How Copilot is told which wire to speak. */
const wires: Readonly<Partial<Record<WireName, Readonly<Record<string, string>>>>> = {
  "anthropic-messages": { type: "anthropic" },
  "openai-responses": { type: "openai", wireApi: "responses" },
  "openai-chat": { type: "openai", wireApi: "completions" },
};

const providersFile = ".copilot/ale-providers.json";
const mcpFile = ".copilot/ale-mcp.json";

/**
 * GitHub Copilot CLI, a native program, in its offline mode: no account, no telemetry, no updates. It unpacks itself into
 * the home at every start. What it asks of a model it takes from the name, or, for names it does not know, such as one the
 * house has given, from the setting `model_id`.
 */
export const copilotProgram: CliProgram = {
  name: "copilot",
  summary: "GitHub Copilot CLI, offline, with a model of one's own",
  wires: ["openai-responses", "anthropic-messages", "openai-chat"],
  mcp: true,
  settings: ["model_id", ...modelRoomSettings],
  start: (launch) => ({
    argv: [
      `${launch.program}/node_modules/@github/copilot-linux-x64/copilot`,
      "--output-format",
      "json",
      "--no-color",
      "--allow-all",
      "--disable-builtin-mcps",
      "--model",
      `ale/${launch.model}`,
      "--additional-mcp-config",
      `@${launch.home}/${mcpFile}`,
      ...effortOf(launch),
    ],
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDERS_CONFIG: `${launch.home}/${providersFile}`,
    },
    input: launch.prompt,
    files: [
      { path: providersFile, content: JSON.stringify(providersOf(launch)) },
      { path: mcpFile, content: JSON.stringify(mcpServersOf(launch)) },
    ],
  }),
  reader: readCopilotStream,
};

/** The OpenAI wires have no level above xhigh. */
function effortOf({ effort, wire }: CliLaunch): readonly string[] {
  if (effort === undefined) return [];
  return ["--reasoning-effort", effort === "max" && wire !== "anthropic-messages" ? "xhigh" : effort];
}

function providersOf({ contestant, effort, wire, baseUrl, model, token }: CliLaunch): object {
  const { context, output } = modelRoom(contestant);
  const vision = {
    supported_media_types: ["image/png", "image/jpeg", "image/webp", "image/gif"],
    max_prompt_images: 50,
    max_prompt_image_size: 5_000_000,
  };
  const { model_id: modelId } = contestant.settings;
  const adaptive = effort === undefined ? {} : { adaptive_thinking: true };
  const supports = { vision: true, reasoningEffort: true, ...adaptive };
  const entry = {
    id: model,
    provider: "ale",
    ...(modelId === undefined ? {} : { modelId: String(modelId) }),
    maxPromptTokens: Math.max(1, context - output),
    maxContextWindowTokens: context,
    maxOutputTokens: output,
    capabilities: { supports, limits: { vision } },
  };
  return { providers: [{ name: "ale", ...wires[wire], baseUrl, apiKey: token }], models: [entry] };
}

function mcpServersOf({ mcp, token }: CliLaunch): object {
  const entries = mcp.map(({ name, url }) => [
    name,
    { type: "http", url, headers: { Authorization: `Bearer ${token}` }, tools: ["*"] },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}
