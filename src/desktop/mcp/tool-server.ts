import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../contract/json-value.ts";
import type { AgentTool, ToolOutcome } from "../tools/agent-tool.ts";

/** A call that a tool server has answered. */
export interface ToolCallEvent {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly outcome: ToolOutcome;
}

export interface ToolServerOptions {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly AgentTool[];
  readonly onCall?: (event: ToolCallEvent) => void;
}

/** An MCP server of these tools. One for each connection or request; the tools may be shared. */
export function createToolServer({ name, version, tools, onCall }: ToolServerOptions): McpServer {
  const server = new McpServer({ name, version }, { capabilities: { tools: {} } });
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: { ...tool.schema, type: "object" as const },
    })),
  }));
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find((candidate) => candidate.name === params.name);
    if (tool === undefined) return asResult(unknownTool(params.name, tools));
    const given = (params.arguments ?? {}) as JsonValue;
    const outcome = await tool.call(given, signal);
    onCall?.({ tool: tool.name, arguments: given, outcome });
    return asResult(outcome);
  });
  return server;
}

function unknownTool(name: string, tools: readonly AgentTool[]): ToolOutcome {
  const known = tools.map((tool) => tool.name).join(", ");
  return { content: [{ type: "text", text: `there is no tool ${name}; there are: ${known}` }], failed: true };
}

function asResult({ content, failed, data }: ToolOutcome): CallToolResult {
  return {
    content: content.map((part) =>
      part.type === "text" ? { ...part } : { type: "image", data: part.data, mimeType: part.mediaType },
    ),
    ...(failed ? { isError: true } : {}),
    ...(data === undefined ? {} : { structuredContent: { ...data } }),
  };
}
