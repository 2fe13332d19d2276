import { chmod, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { AleError } from "../contract/ale-error.ts";

/** Listening until disposed of; that breaks every connection. */
export interface LocalListener extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

/** No program needs as many at once; a hostile one would use up what all trials have. */
const mostConnections = 256;

/**
 * Listens on a free port of 127.0.0.1. Rejects with `gateway-listen` when it cannot.
 * @param name whose it is, for messages: `the model gateway`.
 */
export async function listenOnPort(name: string, server: Server): Promise<LocalListener> {
  const held = await listen(name, server, 0);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => held[Symbol.asyncDispose]() };
}

/**
 * Listens on a unix socket that any user may connect to, for one trial: 256 connections at once, and more are broken off.
 * Rejects with `gateway-listen` when it cannot.
 * @param path at most about 100 characters; taken away when disposed of.
 */
export async function listenOnSocket(name: string, server: Server, path: string): Promise<AsyncDisposable> {
  await rm(path, { force: true });
  server.maxConnections = mostConnections;
  const held = await listen(name, server, path);
  // Whoever it is bound into a sandbox for has another user id there.
  await chmod(path, 0o666);
  return {
    async [Symbol.asyncDispose]() {
      await held[Symbol.asyncDispose]();
      await rm(path, { force: true });
    },
  };
}

async function listen(name: string, server: Server, target: number | string): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(listenError(name, target, cause)));
    if (typeof target === "string") server.listen(target, resolve);
    else server.listen(target, "127.0.0.1", resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await stopped;
    },
  };
}

function listenError(name: string, target: number | string, cause: Error): AleError {
  return new AleError({
    code: "gateway-listen",
    message: `${name} cannot listen on ${typeof target === "string" ? target : "127.0.0.1"}: ${cause.message}`,
    remedy:
      typeof target === "string"
        ? "give a socket path of at most 100 characters in a folder that can be written"
        : "allow this process to listen on loopback",
    cause,
  });
}
