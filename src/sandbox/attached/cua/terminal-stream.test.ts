import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { ServerWebSocket } from "../../../testing/cua-server/web-socket.ts";
import { encodeFrame } from "../../served/frames.ts";
import { TerminalStream } from "./terminal-stream.ts";

const nonce = "c0ffee";
const server = createServer();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A terminal that shows these pieces once it has heard the beginning. */
async function showing(pieces: readonly string[]): Promise<TerminalStream> {
  const show = (web: ServerWebSocket, piece: string): void =>
    web.send(JSON.stringify({ type: "output", data: Buffer.from(piece).toString("base64") }));
  server.removeAllListeners("upgrade");
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const web = new ServerWebSocket(request, socket, head);
    web.onText = () => {
      for (const piece of pieces) show(web, piece);
    };
    show(web, `password: \r\nready ${nonce}\r\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return TerminalStream.open(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, nonce);
}

const frame = encodeFrame("O", 2, "\u0001hello");
const line = `${frame.toString("base64")}\n`;

test("frames come whole, however a terminal cuts and repeats", async () => {
  const stream = await showing([`\nready ${nonce}\n${line}${line.slice(0, 7)}`, line.slice(7)]);
  const seen: Buffer[] = [];
  stream.on("data", (piece: Buffer) => seen.push(piece));
  while (seen.length < 2) await once(stream, "data");
  expect(seen).toEqual([frame, frame]);
  stream.destroy();
});

test.each(["Broadcast message from root", line.slice(0, 8), line.slice(4).trim(), "AAAA"])(
  "a line that is no frame ends the stream with its text: %s",
  async (stray) => {
    const stream = await showing([`${stray}\n${line}`]);
    const [error] = await once(stream.resume(), "error");
    expect((error as Error).message).toBe(`the terminal shows what is no frame: ${JSON.stringify(stray)}`);
  },
);
