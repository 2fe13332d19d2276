import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../contract/json-value.ts";
import { type AgentTool, failure, type ToolContent } from "../../desktop/tools/agent-tool.ts";
import type { McpEndpoint, ModelAccess } from "../harness.ts";
import { contentParts } from "../trajectory/content-parts.ts";

/** The tools of one of our MCP servers. */
export interface ConnectedServer extends AsyncDisposable {
  readonly name: string;
  readonly tools: readonly AgentTool[];
}

/** A tool may work for so long, in milliseconds; the trial's own limits come first. */
const toolMs = 60 * 60 * 1000;

/** Connects to a server with the trial's token. Rejects when it cannot be reached. */
export async function connectServer(
  { name, hostUrl }: McpEndpoint,
  { token, version }: { readonly token: ModelAccess["token"]; readonly version: string },
  signal: AbortSignal,
): Promise<ConnectedServer> {
  const client = new Client({ name: "ale-agent", version });
  const transport = new StreamableHTTPClientTransport(new URL(hostUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport, { signal });
  const { tools } = await client.listTools({}, { signal });
  return {
    name,
    tools: tools.map(
      (tool): AgentTool => ({
        name: tool.name,
        description: tool.description ?? tool.name,
        schema: tool.inputSchema as { readonly [key: string]: JsonValue },
        async call(input, callSignal) {
          const given = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
          try {
            const result = await client.callTool(
              { name: tool.name, arguments: { ...given } },
              CallToolResultSchema,
              { signal: callSignal, timeout: toolMs },
            );
            const content = contentParts(result.content as JsonValue) as readonly ToolContent[];
            return { content, failed: result.isError === true };
          } catch (error) {
            callSignal.throwIfAborted();
            return failure(
              `${tool.name} could not be used: ${error instanceof Error ? error.message : String(error)}`,
            );
          }
        },
      }),
    ),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
