import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { allowsHost } from "./allows-host.ts";
import { createEgressProxy, type RefusedHost } from "./egress-proxy.ts";
import { isPrivateAddress } from "./is-private-address.ts";
import { readServerName } from "./server-name.ts";

/** A TLS server that says hello to everyone, and a proxy before it that lets `good.test` through. */
async function start(): Promise<
  AsyncDisposable & {
    readonly port: number;
    readonly refused: RefusedHost[];
    open(target: string): Promise<{ readonly status: number; readonly socket: Socket }>;
  }
> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-egress-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const making = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=good.test",
    "-keyout",
    key,
    "-out",
    cert,
  ];
  execFileSync("openssl", making, { stdio: "ignore" });
  const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) }, (socket) =>
    socket.end("hello"),
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanup.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const refused: RefusedHost[] = [];
  const proxy = cleanup.use(
    await createEgressProxy({
      allow: ["good.test", "*.below.test"],
      clock: createFixedClock(),
      onRefused: (host) => refused.push(host),
      ports: [port],
      resolve: async () => "127.0.0.1",
    }),
  );
  const kept = cleanup.move();
  return {
    port,
    refused,
    async open(target) {
      const asking = request(proxy.origin, { method: "CONNECT", path: target }).end();
      const [answer, socket] = (await once(asking, "connect")) as [{ statusCode: number }, Socket];
      return { status: answer.statusCode, socket };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

describe("the egress proxy", () => {
  test("lets TLS through to a host on the list", async () => {
    await using bench = await start();
    const { status, socket } = await bench.open(`good.test:${bench.port}`);
    expect(status).toBe(200);
    const secure = connectTls({ socket, servername: "good.test", rejectUnauthorized: false });
    expect(await text(secure)).toBe("hello");
    expect(bench.refused).toEqual([]);
  });

  test("refuses other hosts, other ports, other names inside TLS and what is not TLS, and notes each", async () => {
    await using bench = await start();
    const closed = async (socket: Socket): Promise<void> => {
      socket.resume();
      if (!socket.destroyed) await once(socket, "close");
    };
    expect((await bench.open(`bad.test:${bench.port}`)).status).toBe(403);
    expect((await bench.open("good.test:22")).status).toBe(403);
    const masked = await bench.open(`good.test:${bench.port}`);
    const secure = connectTls({ socket: masked.socket, servername: "bad.test", rejectUnauthorized: false });
    await new Promise<void>((resolve) => {
      secure.on("error", () => resolve());
      secure.on("close", () => resolve());
    });
    const plain = await bench.open(`good.test:${bench.port}`);
    plain.socket.write("GET / HTTP/1.1\r\n\r\n");
    await closed(plain.socket);
    expect(bench.refused.map(({ host, reason }) => `${host}: ${reason}`)).toEqual([
      "bad.test: the host is not on the task's list",
      "good.test: port 22 is not allowed",
      "good.test: TLS asks for another host: bad.test",
      "good.test: the connection is not TLS with a server name",
    ]);
  });
});

test("a star stands for hosts below a domain, and not for the domain", () => {
  const allow = ["example.org", "*.below.test"];
  const named = ["example.org", "EXAMPLE.org.", "a.below.test", "a.b.below.test"];
  const others = ["below.test", "evilbelow.test", "a.example.org", "example.org.evil"];
  expect(named.filter((host) => allowsHost(allow, host))).toEqual(named);
  expect(others.filter((host) => allowsHost(allow, host))).toEqual([]);
});

test("addresses of this host and of its networks are private, others are not", () => {
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "100.64.0.1",
  ];
  expect(inside.filter(isPrivateAddress)).toEqual(inside);
  expect(["8.8.8.8", "172.32.0.1", "2606:4700::1111"].filter(isPrivateAddress)).toEqual([]);
});

test("any bytes are read as some greeting or none, without an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isTls) => {
      const head = isTls ? [22, 3, 1, 0, bytes.length % 256, 1, 0, 0, 40] : [];
      expect(["name", "more", "none", "not-tls"]).toContain(
        readServerName(Uint8Array.from([...head, ...bytes])).kind,
      );
    }),
  );
});

test("records without content are no greeting, however many come", () => {
  expect(readServerName(Uint8Array.from([22, 3, 1, 0, 0, 22, 3, 1, 0, 0])).kind).toBe("not-tls");
});
