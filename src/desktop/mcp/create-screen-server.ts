import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ScreenBridge } from "../screen-actions/screen-bridge.ts";
import { createToolServer, type ToolServerOptions } from "./tool-server.ts";

/**
 * The `screen` MCP server: seeing a screen and acting on it. Make one bridge for a trial, and of it a server for each
 * connection or request: the bridge keeps the order of what is done.
 */
export function createScreenServer(
  bridge: ScreenBridge,
  options: Pick<ToolServerOptions, "version" | "onCall">,
): McpServer {
  return createToolServer({ name: "ale-screen", tools: bridge.tools, ...options });
}
