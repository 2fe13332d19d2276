import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ForwardedPort } from "../forward/forwarded-port.ts";
import { forwardFromContainer } from "./forward-from-container.ts";
import { StewardHandle } from "./steward-handle.ts";
import { startSteward, type TestSteward } from "./test-support/start-steward.ts";

let cleanup: AsyncDisposableStack;
let steward: TestSteward;
let socketPath: string;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-forward-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  socketPath = join(folder, "host.sock");
  steward = cleanup.use(await startSteward());
});

afterEach(() => cleanup.disposeAsync());

test("megabytes pass both ways at once, whole, and half of a connection may close", async () => {
  const [asked, told] = [Buffer.alloc(5_000_000, "asked "), Buffer.alloc(7_000_000, "told ")];
  const heard: Buffer[] = [];
  const allowHalfOpen = true;
  await listen(
    (socket) => {
      socket.on("data", (piece) => heard.push(piece));
      // Only now: the other half has stayed open.
      socket.on("end", () => socket.end("the end"));
      socket.write(told);
    },
    { allowHalfOpen },
  );
  const client = dial(await forward(), { allowHalfOpen });
  client.end(asked);
  expect((await buffer(client)).equals(Buffer.concat([told, Buffer.from("the end")]))).toBe(true);
  expect(Buffer.concat(heard).equals(asked)).toBe(true);
});

test("256 are let in, further ones when another has gone, and the steward answers meanwhile", async () => {
  const open = new Set<Socket>();
  const full = Promise.withResolvers<void>();
  let most = 0;
  await listen((socket) => {
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on("close", () => open.delete(socket)).resume();
    if (open.size === 256) full.resolve();
    if (open.size < 256 && most === 256) socket.end("served");
  });
  const way = await forward();
  const clients = Array.from({ length: 300 }, () => dial(way));
  await full.promise;
  await using root = await StewardHandle.open(steward.link, "/", true);
  expect(root?.facts.kind).toBe("folder");
  const answers = clients.map((client) => buffer(client.end()));
  for (const socket of open) socket.end("served");
  expect((await Promise.all(answers)).map(String)).toEqual(clients.map(() => "served"));
  expect(most).toBe(256);
});

test("peers that never read make the steward hold no more than their windows", async () => {
  const piece = Buffer.alloc(1 << 20);
  await listen((socket) => {
    const pour = (): void => void socket.write(piece);
    socket.on("drain", pour);
    pour();
  });
  const way = await forward();
  const before = await residentKb();
  const clients = Array.from({ length: 100 }, () => dial(way));
  await Promise.all(clients.map((client) => once(client, "readable")));
  await using root = await StewardHandle.open(steward.link, "/", true);
  expect(root?.facts.kind).toBe("folder");
  expect((await residentKb()) - before).toBeLessThan(100 * 64 * 4);
});

test("a connection that is reset inside is closed outside, and the other way round", async () => {
  const arrivals: Socket[] = [];
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await listen((socket) => {
    arrived[arrivals.push(socket) - 1]?.resolve();
  });
  const way = await forward();
  const first = dial(way);
  await arrived[0]?.promise;
  first.resetAndDestroy();
  await closed(arrivals[0]?.resume());
  const second = dial(way).resume();
  await arrived[1]?.promise;
  arrivals[1]?.destroy();
  await closed(second);
});

test("a socket that is not there closes the connection, and the next is let in", async () => {
  const way = await forward();
  await closed(dial(way).resume());
  await listen((socket) => socket.end("here"));
  expect(String(await buffer(dial(way)))).toBe("here");
});

test("connections that come and go by the thousand leave nothing behind", async () => {
  await listen((socket) => socket.resume().end());
  const way = await forward();
  for (let round = 0; round < 5; round++) {
    const gone = Array.from({ length: 200 }, async (_, index) => {
      const client = dial(way).resume();
      if (index % 2 === 0) client.once("connect", () => client.resetAndDestroy());
      await closed(client);
    });
    await Promise.all(gone);
  }
  expect(String(await buffer(dial(way).end()))).toBe("");
});

test("disposing of it closes the port and what came in by it, and not another's", async () => {
  const seen: Promise<unknown>[] = [];
  await listen((socket) => {
    seen.push(closed(socket.resume()));
    socket.write("here");
  });
  const [first, second] = [await forward(), await forward()];
  const clients = [dial(first), dial(second)];
  const firstClosed = closed(clients[0]);
  await Promise.all(clients.map((client) => once(client, "data")));
  await first[Symbol.asyncDispose]();
  await Promise.race(seen);
  await firstClosed;
  const [error] = (await once(connect(first.port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNREFUSED");
  const third = dial(second);
  expect(String((await once(third, "data"))[0])).toBe("here");
});

test("when the steward is gone, no port is given and the host's side is closed", async () => {
  const ended = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  await listen((socket) => {
    arrived.resolve();
    socket.resume().on("close", () => ended.resolve());
  });
  dial(await forward());
  await arrived.promise;
  steward.link.close();
  await ended.promise;
  await expect(forward()).rejects.toMatchObject({ code: "sandbox-forward" });
});

/** Resolves when it is closed, however that came. */
function closed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => socket?.on("close", () => resolve()));
}

async function forward(): Promise<ForwardedPort> {
  return cleanup.use(await forwardFromContainer(steward.link, socketPath));
}

function dial({ port }: ForwardedPort, options: { readonly allowHalfOpen?: boolean } = {}): Socket {
  const client = connect({ port, host: "127.0.0.1", ...options });
  client.on("error", () => undefined);
  cleanup.defer(() => void client.destroy());
  return client;
}

async function listen(
  serve: (socket: Socket) => void,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(socketPath);
  await once(server, "listening");
  cleanup.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

/** Memory of the steward that is there. */
async function residentKb(): Promise<number> {
  const status = await readFile(`/proc/${steward.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}
