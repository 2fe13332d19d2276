import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/**
 * An MCP server over a pair of streams, one JSON message a line. Resolves when the input has ended and every request
 * in it is answered, or the server is closed.
 */
export async function serveMcpOverStdio(server: McpServer, input: Readable, output: Writable): Promise<void> {
  const transport = new StdioServerTransport(input, output);
  const open = new Set<string | number>();
  let hasEnded = false;
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  const closeWhenDone = (): void => {
    if (hasEnded && open.size === 0) void server.close();
  };
  await server.connect(transport);

  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if ("method" in message && "id" in message) open.add(message.id);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    closeWhenDone();
  };
  input.once("close", () => {
    if (!hasEnded) void server.close();
  });
  input.once("end", () => {
    hasEnded = true;
    closeWhenDone();
  });
  await closed;
}
