import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Machine } from "../machine/create-machine.ts";
import { createToolServer, type ToolServerOptions } from "./tool-server.ts";

/**
 * The `machine` MCP server: commands and files of a sandbox. Make one machine for a trial, and of it a server for each
 * request: what runs in the background belongs to the machine.
 */
export function createMachineServer(
  machine: Machine,
  options: Pick<ToolServerOptions, "version" | "onCall">,
): McpServer {
  return createToolServer({ name: "ale-machine", tools: machine.tools, ...options });
}
