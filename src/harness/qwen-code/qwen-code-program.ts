import type { JsonValue } from "../../contract/json-value.ts";
import { nearestEffort } from "../../gateway/wires/effort-scale.ts";
import type { CliLaunch, CliProgram, CliStart } from "../program/cli-program.ts";
import { readQwenStream } from "./read-qwen-stream.ts";

/** Longest wait for an answer or a tool, in milliseconds: the gateway waits out rate limits, the harness for the gateway. */
const answerMs = 60 * 60 * 1000;

/** Qwen Code, headless, over the Chat wire, its prompt on standard input. */
export const qwenCodeProgram: CliProgram = {
  name: "qwen-code",
  summary: "Qwen Code, the coding agent of Alibaba",
  wires: ["openai-chat"],
  mcp: true,
  settings: [],
  start: startQwen,
  reader: readQwenStream,
};

function startQwen(launch: CliLaunch): CliStart {
  const { node, program, model, baseUrl, token, prompt } = launch;
  return {
    argv: [
      node,
      // As its own starter does it, which waits for it in a process of its own.
      "--expose-gc",
      `${program}/node_modules/@qwen-code/qwen-code/cli.js`,
      "--auth-type",
      "openai",
      "--output-format",
      "stream-json",
      "--yolo",
      "--model",
      model,
    ],
    env: {
      OPENAI_API_KEY: token,
      OPENAI_BASE_URL: baseUrl,
      OPENAI_MODEL: model,
      QWEN_CODE_NO_RELAUNCH: "true",
      QWEN_TELEMETRY_ENABLED: "false",
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    },
    files: [{ path: ".qwen/settings.json", content: JSON.stringify(settingsOf(launch)) }],
    input: prompt,
  };
}

function settingsOf({ effort, mcp, token }: CliLaunch): JsonValue {
  const level =
    effort === undefined
      ? undefined
      : nearestEffort(effort, ["none", "minimal", "low", "medium", "high", "xhigh"]);
  return {
    $version: 3,
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false },
    model: {
      generationConfig: {
        timeout: answerMs,
        // Retries are the gateway's.
        maxRetries: 0,
        // Otherwise pictures are kept from every model whose name it does not know.
        ...(mcp.some(({ name }) => name === "screen") ? { modalities: { image: true } } : {}),
        ...(level === undefined ? {} : { samplingParams: { reasoning_effort: level } }),
      },
    },
    mcpServers: Object.fromEntries(
      mcp.map(({ name, url }) => [
        name,
        {
          httpUrl: url,
          headers: { Authorization: `Bearer ${token}` },
          timeout: answerMs,
          trust: true,
          // Otherwise it hides their tools until they are searched for.
          alwaysLoadTools: true,
        },
      ]),
    ),
  };
}
