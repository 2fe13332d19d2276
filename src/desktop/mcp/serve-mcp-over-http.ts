import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { parseJson } from "../../contract/json-fields.ts";

export interface McpOverHttpOptions {
  /** Largest request body, default 16 MiB: a file to be written comes in one. */
  readonly maxBodyBytes?: number;
  /** Between two signs of life while a tool works, so that no client gives the connection up; default 10 s. */
  readonly keepAliveMs?: number;
}

/** Handles one request; what is wrong with it is answered. Rejects only where the server's factory throws. */
export type McpRequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * An MCP server over streamable HTTP without sessions: each request gets a server of its own from the factory, so any
 * number of clients may speak at once and none holds anything here between requests. A client that goes away aborts
 * the tool it called. Who may call is the caller's to check.
 */
export function serveMcpOverHttp(
  createServer: () => McpServer,
  options: McpOverHttpOptions = {},
): McpRequestHandler {
  const { maxBodyBytes = 16 * 1024 * 1024, keepAliveMs = 10_000 } = options;
  return async (request, response) => {
    if (request.method !== "POST") {
      request.resume();
      response.setHeader("allow", "POST");
      return sendError(response, 405, -32000, "this server keeps no session: only POST is answered");
    }
    const body = await readBody(request, maxBodyBytes);
    if (body.kind === "gone") return;
    if (body.kind === "too-large") {
      request.resume();
      response.setHeader("connection", "close");
      return sendError(response, 413, -32000, `the request is larger than ${maxBodyBytes} bytes`);
    }
    const message = parseJson(body.text);
    if (message === undefined) return sendError(response, 400, -32700, "the request is not JSON");

    const server = createServer();
    const accept = request.headers.accept ?? "";
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: accept.includes("application/json") && !accept.includes("text/event-stream"),
      keepAliveMs,
    });
    response.once("close", () => void server.close());
    await server.connect(transport as Transport);
    const answer = await transport.handleRequest(webRequest(request), { parsedBody: message });
    await relay(answer, response);
  };
}

type RequestBody =
  | { readonly kind: "whole"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "gone" };

async function readBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Left alone when it is too large: destroying it would take the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return { kind: "too-large" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (request.errored !== null || request.destroyed) return { kind: "gone" };
    throw error;
  }
  return { kind: "whole", text: Buffer.concat(chunks).toString("utf8") };
}

/** The request in the form the SDK takes. Clients that name one kind of answer, or none, are served as well. */
function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  headers.set("accept", "application/json, text/event-stream");
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return new Request(new URL(request.url ?? "/", "http://mcp"), { method: "POST", headers });
}

async function relay(answer: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body as NodeReadableStream<Uint8Array>), response);
  } catch (error) {
    // A client may leave before its answer.
    if (!response.destroyed) throw error;
  }
}

function sendError(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
