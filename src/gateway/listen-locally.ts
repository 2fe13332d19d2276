import { chmod, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { AleError } from "../contract/ale-error.ts";

export interface LocalListenerOptions {
  /** Whose it is, for messages: `the model gateway`. */
  readonly name: string;
  /** Called for each place that is listened on. */
  readonly createServer: () => Server;
  /** Also listen on this unix socket, which any user may connect to. At most about 100 characters. */
  readonly socketPath: string | undefined;
}

/** Listening until disposed of; that breaks every connection. */
export interface LocalListener extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

/** Listens on a free port of 127.0.0.1 and, where asked, on a unix socket. Rejects with `gateway-listen` when it cannot. */
export async function listenLocally(options: LocalListenerOptions): Promise<LocalListener> {
  const { name, createServer, socketPath } = options;
  const sockets = new Set<Socket>();

  async function listen(target: number | string): Promise<Server> {
    const server = createServer();
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
    return server;
  }

  const tcp = await listen(0);
  const servers = [tcp];
  if (socketPath !== undefined) {
    await rm(socketPath, { force: true });
    servers.push(await listen(socketPath));
    // Whoever it is bound into a sandbox for has another user id there.
    await chmod(socketPath, 0o666);
  }
  return {
    origin: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const stopped = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      for (const socket of sockets) socket.destroy();
      await Promise.all(stopped);
      if (socketPath !== undefined) await rm(socketPath, { force: true });
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
