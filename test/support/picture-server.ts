import { crc32, deflateSync } from "node:zlib";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { serveMcpOverHttp } from "../../src/desktop/mcp/serve-mcp-over-http.ts";
import type { McpHandler } from "../../src/gateway/gateway.ts";

/** An MCP server with one tool, `screenshot`, that shows a small picture. */
export interface PictureServer {
  readonly handler: McpHandler;
  /** The picture, in base64. */
  readonly picture: string;
  /** How often the tool was called. */
  readonly shown: () => number;
}

export function pictureServer(): PictureServer {
  let shown = 0;
  const picture = greyPng(64).toString("base64");
  const create = (): McpServer => {
    const server = new McpServer({ name: "screen", version: "1.0.0" });
    server.registerTool("screenshot", { description: "Shows the screen." }, () => {
      shown += 1;
      return {
        content: [
          { type: "text", text: "The screen:" },
          { type: "image", data: picture, mimeType: "image/png" },
        ],
      };
    });
    return server;
  };
  return { handler: serveMcpOverHttp(create), picture, shown: () => shown };
}

/** A square of one grey in the PNG format (W3C, third edition). */
export function greyPng(size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  const rows = Buffer.concat(
    Array.from({ length: size }, () => Buffer.concat([Buffer.of(0), Buffer.alloc(size, 128)])),
  );
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
