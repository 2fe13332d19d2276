import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { serveMcpOverHttp } from "./serve-mcp-over-http.ts";
import { serveMcpOverStdio } from "./serve-mcp-over-stdio.ts";

interface Waiting {
  readonly started: Promise<void>;
  readonly aborted: Promise<void>;
}

/** A server that echoes, and one tool that waits until it is aborted. */
function echoServer(): { readonly create: () => McpServer; readonly waiting: Waiting } {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const create = (): McpServer => {
    const server = new McpServer({ name: "echo", version: "1.0.0" });
    server.registerTool("echo", { inputSchema: { word: z.string() } }, async ({ word }) => ({
      content: [{ type: "text", text: word }],
    }));
    server.registerTool("wait", {}, async (extra) => {
      extra.signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      return { content: [] };
    });
    return server;
  };
  return { create, waiting: { started: started.promise, aborted: aborted.promise } };
}

async function serve(create: () => McpServer, maxBodyBytes?: number): Promise<URL> {
  const handle = serveMcpOverHttp(create, maxBodyBytes === undefined ? {} : { maxBodyBytes });
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

async function connect(url: URL): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url) as Transport);
  onTestFinished(() => client.close());
  return client;
}

const post = (url: URL, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });

describe("an MCP server over HTTP", () => {
  test("serves the official client", async () => {
    const client = await connect(await serve(echoServer().create));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["echo", "wait"]);
    const result = await client.callTool({ name: "echo", arguments: { word: "häuser" } });
    expect(result.content).toEqual([{ type: "text", text: "häuser" }]);
  });

  test("serves many clients at once", async () => {
    const url = await serve(echoServer().create);
    const clients = await Promise.all(Array.from({ length: 5 }, () => connect(url)));
    const words = await Promise.all(
      clients.map((client, index) => client.callTool({ name: "echo", arguments: { word: `w${index}` } })),
    );
    expect(words.map(({ content }) => content)).toEqual(
      clients.map((_, index) => [{ type: "text", text: `w${index}` }]),
    );
  });

  test("answers in JSON where the client takes no events, and in events where it names no kind", async () => {
    const url = await serve(echoServer().create);
    const plain = await post(url, listTools, { accept: "application/json" });
    expect(plain.headers.get("content-type")).toContain("application/json");
    expect(await plain.json()).toMatchObject({ id: 7, result: { tools: [{ name: "echo" }, {}] } });
    const other = await post(url, listTools);
    expect(other.headers.get("content-type")).toContain("text/event-stream");
    expect(await other.text()).toContain('"id":7');
  });

  test("takes notifications without an answer", async () => {
    const url = await serve(echoServer().create);
    const answer = await post(url, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect(answer.status).toBe(202);
  });

  test("tells what is wrong with a bad request", async () => {
    const url = await serve(echoServer().create, 1000);
    const half = await post(url, '{"jsonrpc":');
    expect([half.status, await half.json()]).toMatchObject([400, { error: { code: -32700 } }]);
    const shapeless = await post(url, '{"hello":1}');
    expect(shapeless.status).toBe(400);
    const large = await post(url, `"${"x".repeat(2000)}"`);
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { error: { message: "the request is larger than 1000 bytes" } },
    ]);
    const get = await fetch(url, { headers: { accept: "text/event-stream" } });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("a tool's bad arguments are told to the model, not the transport", async () => {
    const client = await connect(await serve(echoServer().create));
    const result = await client.callTool({ name: "echo", arguments: { word: 3 } });
    expect(result.isError).toBe(true);
  });

  test("a client that goes away aborts its tool", async () => {
    const { create, waiting } = echoServer();
    const url = await serve(create);
    const request = httpRequest(url, { method: "POST", headers: { "content-type": "application/json" } });
    request.on("error", () => undefined);
    request.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } }));
    await waiting.started;
    request.destroy();
    await waiting.aborted;
  });
});

describe("an MCP server over a pair of streams", () => {
  test("answers everything that was asked before the input ended", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveMcpOverStdio(echoServer().create(), input, output);
    input.end(
      [
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        "not json",
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"word":"hi"}}}',
        "",
      ].join("\n"),
    );
    await served;
    output.end();
    const lines = (await text(output)).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    expect(lines[1]).toContain('"hi"');
  });

  test("ends when its input is closed, though a tool still works", async () => {
    const { create, waiting } = echoServer();
    const input = new PassThrough();
    const served = serveMcpOverStdio(create(), input, new PassThrough());
    input.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}\n');
    await waiting.started;
    input.destroy();
    await Promise.all([served, waiting.aborted]);
  });
});
