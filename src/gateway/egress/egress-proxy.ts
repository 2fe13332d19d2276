import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../contract/clock.ts";
import { listenOnPort, listenOnSocket } from "../listen-locally.ts";
import { allowsHost } from "./allows-host.ts";
import { isPrivateAddress } from "./is-private-address.ts";
import { readServerName } from "./server-name.ts";

/** A connection that was not let through. */
export interface RefusedHost {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly host: string;
  readonly port: number;
  readonly reason: string;
}

export interface EgressProxyOptions {
  /** `example.org`, `*.example.org`. */
  readonly allow: readonly string[];
  readonly clock: Clock;
  readonly onRefused: (refused: RefusedHost) => void;
  /** Also listen on this unix socket. */
  readonly socketPath?: string;
  /** Ports that may be reached, default 443 alone. */
  readonly ports?: readonly number[];
  /** The address of a host; default by the system's resolver, which never gives a private one through. */
  readonly resolve?: (host: string) => Promise<string>;
}

export interface EgressProxy extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

/** Longest wait for a client's TLS greeting, in milliseconds. */
const greetingMs = 10_000;

/**
 * Lets CONNECT through to the named hosts, and only for TLS that asks for the very host of the CONNECT. What is said
 * after the greeting is not read.
 */
export async function createEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { allow, clock, onRefused, socketPath, ports = [443], resolve = resolvePublic } = options;

  async function tunnel(client: Duplex, target: string, early: Buffer): Promise<void> {
    const { host, port } = splitTarget(target);
    const refuse = (reason: string, head?: string): void => {
      onRefused({ at: clock.now(), host, port, reason });
      if (head === undefined) client.destroy();
      else client.end(`HTTP/1.1 403 ${head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    };
    if (!allowsHost(allow, host)) return refuse("the host is not on the task's list", "Host Not Allowed");
    if (!ports.includes(port)) return refuse(`port ${port} is not allowed`, "Port Not Allowed");
    let address: string;
    try {
      address = await resolve(host);
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error), "Host Not Reachable");
    }
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const greeting = await readGreeting(client, early, clock);
    if (greeting === undefined) return refuse("no TLS greeting came");
    const found = readServerName(greeting);
    if (found.kind !== "name") return refuse("the connection is not TLS with a server name");
    if (found.name.toLowerCase() !== host.toLowerCase()) {
      return refuse(`TLS asks for another host: ${found.name}`);
    }
    const outer = connect(port, address);
    outer.on("error", () => client.destroy());
    outer.on("close", () => client.destroy());
    client.on("close", () => outer.destroy());
    if (client.destroyed) outer.destroy();
    outer.write(greeting);
    client.pipe(outer);
    outer.pipe(client);
  }

  function newServer(): Server {
    const server = createServer((request: IncomingMessage, response) => {
      const host = request.headers.host ?? "";
      onRefused({ at: clock.now(), host, port: 80, reason: "only CONNECT for TLS is let through" });
      response.writeHead(403, { "content-type": "text/plain" });
      response.end("only HTTPS is let through here\n");
    });
    server.on("connect", (request: IncomingMessage, client: Duplex, early: Buffer) => {
      client.on("error", () => client.destroy());
      tunnel(client, request.url ?? "", early).catch(() => client.destroy());
    });
    return server;
  }

  const name = "the proxy to allowed hosts";
  await using opening = new AsyncDisposableStack();
  const { origin } = opening.use(await listenOnPort(name, newServer()));
  if (socketPath !== undefined) opening.use(await listenOnSocket(name, newServer(), socketPath));
  const listening = opening.move();
  return { origin, [Symbol.asyncDispose]: () => listening.disposeAsync() };
}

function splitTarget(target: string): { readonly host: string; readonly port: number } {
  const at = target.lastIndexOf(":");
  return { host: target.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(target.slice(at + 1)) };
}

/** The client's bytes until they hold a greeting or can be none; `undefined` when it ends or lets wait too long. */
async function readGreeting(client: Duplex, early: Buffer, clock: Clock): Promise<Buffer | undefined> {
  let bytes: Buffer = early;
  if (readServerName(bytes).kind !== "more") return bytes;
  const settled = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    if (readServerName(bytes).kind !== "more") resolve(bytes);
  };
  client.on("data", onData);
  client.once("close", () => resolve(undefined));
  clock.sleep(greetingMs, settled.signal).then(
    () => resolve(undefined),
    () => undefined,
  );
  try {
    return await promise;
  } finally {
    settled.abort();
    client.off("data", onData);
    client.pause();
  }
}

async function resolvePublic(host: string): Promise<string> {
  const { address } = await lookup(host);
  if (!isPrivateAddress(address)) return address;
  throw new RangeError(`${host} is at ${address}, an address inside this network`);
}
